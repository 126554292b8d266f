import Foundation

/// What the markers of a JPEG say, read without decoding it.
/// - Source: ITU-T T.81, annex B.
struct JPEGMarkers {
    /// Each scan is a pass over the whole picture. Cameras and editors write about ten.
    static let mostScans = 100
    /// Decoders keep those of metadata in lists that they search. Colour profiles, XMP and the tables of progressive
    /// photos take tens.
    static let mostSegments = 1000

    private(set) var scans = 0
    private(set) var segments = 0
    /// Whether the end-of-image marker is there.
    private(set) var hasEnd = false
    private var start: UInt8?
    /// By component: the lowest bit of each coefficient that the scans have.
    private var lowestBits: [UInt8: [UInt8]] = [:]

    /// Reads until the end, or until there are too many.
    init(_ jpeg: Data) {
        jpeg.withUnsafeBytes { read($0) }
    }

    var areTooMany: Bool { scans > Self.mostScans || segments > Self.mostSegments }

    /// Whether the scans together have all bits of all coefficients, in a coding (Huffman) whose decoder notices when
    /// data is missing.
    var coverAll: Bool {
        (0xC0...0xC2).contains(start ?? 0) && !lowestBits.isEmpty
            && lowestBits.values.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
        var offset = 2
        while !areTooMany, let marker = Self.marker(in: bytes, from: &offset) {
            switch marker {
            case 0xD9:
                hasEnd = true
                return
            case 0x01...0xBF, 0xD0...0xD8:
                // They have no content; libjpeg, too, goes on behind those that it does not know.
                continue
            default:
                segments += 1
                guard let length = bytes.number(at: offset, bytes: 2), length >= 2, length <= bytes.count - offset
                else { return }
                note(marker, UnsafeRawBufferPointer(rebasing: bytes[offset + 2..<offset + length]))
                offset += length
            }
        }
    }

    /// The next marker. Skips the data of a scan before it.
    /// - Parameter offset: moves behind it.
    private static func marker(in bytes: UnsafeRawBufferPointer, from offset: inout Int) -> UInt8? {
        while offset < bytes.count, let start = bytes.baseAddress,
            let found = memchr(start + offset, 0xFF, bytes.count - offset)
        {
            var next = start.distance(to: UnsafeRawPointer(found)) + 1
            while next < bytes.count, bytes[next] == 0xFF { next += 1 }
            guard next < bytes.count else { break }
            offset = next + 1
            // A zero makes it a byte of the data.
            if bytes[next] != 0 { return bytes[next] }
        }
        offset = bytes.count
        return nil
    }

    private mutating func note(_ marker: UInt8, _ content: UnsafeRawBufferPointer) {
        switch marker {
        case 0xC4, 0xC8, 0xCC: break
        case 0xC0...0xCF: noteFrame(marker, content)
        case 0xDA: noteScan(content)
        default: break
        }
    }

    private mutating func noteFrame(_ marker: UInt8, _ content: UnsafeRawBufferPointer) {
        start = marker
        lowestBits = [:]
        guard content.count >= 6 else { return }
        for component in stride(from: 6, to: content.count, by: 3).prefix(Int(content[5])) {
            lowestBits[content[component]] = [UInt8](repeating: .max, count: 64)
        }
    }

    private mutating func noteScan(_ content: UnsafeRawBufferPointer) {
        scans += 1
        guard let first = content.first, content.count >= 2 * Int(first) + 4 else { return }
        let bands = content[(2 * Int(first) + 1)...].prefix(3).map { $0 }
        let isProgressive = start == 0xC2
        let (from, upTo) = isProgressive ? (Int(bands[0]), Int(bands[1])) : (0, 63)
        guard from <= upTo, upTo < 64 else { return }
        for component in stride(from: 1, to: 2 * Int(first), by: 2) {
            for coefficient in from...upTo {
                lowestBits[content[component]]?[coefficient] = isProgressive ? bands[2] & 0x0F : 0
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// An unsigned number, the highest byte first.
    /// - Parameter length: 1 to 8 bytes.
    /// - Returns: nil beyond the end, and for a number that is too large.
    func number(at offset: Int, bytes length: Int) -> Int? {
        guard offset >= 0, offset <= count - length else { return nil }
        return Int(exactly: self[offset..<offset + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
