/// Converts UTF-16 to UTF-8, in pieces of any size.
///
/// An unpaired surrogate becomes three bytes that are invalid in UTF-8, and half a code unit at the end one such byte,
/// so that the row is rejected and not repaired.
struct UTF16Transcoder {
    private let isBigEndian: Bool
    private var half: UInt8?
    private var high: UInt16?

    /// A transcoder for a text that starts with these bytes; nil if they are not UTF-16: neither its byte order mark
    /// nor, as some programs omit it, two ASCII characters of two bytes each. (Neither tables nor XML contain NUL.)
    init?(start: some Collection<UInt8>) {
        switch Array(start.prefix(4)) {
        case let bytes where bytes.starts(with: [0xFF, 0xFE]): isBigEndian = false
        case let bytes where bytes.starts(with: [0xFE, 0xFF]): isBigEndian = true
        case let bytes where bytes.count == 4 && bytes.map({ $0 == 0 }) == [false, true, false, true]:
            isBigEndian = false
        case let bytes where bytes.count == 4 && bytes.map({ $0 == 0 }) == [true, false, true, false]:
            isBigEndian = true
        default: return nil
        }
    }

    /// The UTF-8 form of a whole document in UTF-16; nil if it is not in UTF-16.
    static func utf8(of document: [UInt8]) -> [UInt8]? {
        guard var transcoder = UTF16Transcoder(start: document) else { return nil }
        var text: [UInt8] = []
        transcoder.transcode(document, to: &text)
        transcoder.finish(&text)
        return text
    }

    /// Appends the UTF-8 form of the next bytes.
    mutating func transcode(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        for byte in bytes {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
            take(unit, &text)
        }
    }

    /// Appends what is unfinished at the end of the text.
    mutating func finish(_ text: inout [UInt8]) {
        if let high { Self.append(UInt32(high), to: &text) }
        if half != nil { text.append(0xFF) }
        (half, high) = (nil, nil)
    }

    private mutating func take(_ unit: UInt16, _ text: inout [UInt8]) {
        if let first = high {
            high = nil
            if UTF16.isTrailSurrogate(unit) {
                return Self.append(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), to: &text)
            }
            Self.append(UInt32(first), to: &text)
        }
        if UTF16.isLeadSurrogate(unit) {
            high = unit
        } else {
            Self.append(UInt32(unit), to: &text)
        }
    }

    private static func append(_ value: UInt32, to text: inout [UInt8]) {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | value >> shift & 0x3F) }
        switch value {
        case ..<0x80: text.append(UInt8(truncatingIfNeeded: value))
        case ..<0x800: text += [UInt8(truncatingIfNeeded: 0xC0 | value >> 6), continuation(0)]
        case ..<0x10000: text += [UInt8(truncatingIfNeeded: 0xE0 | value >> 12), continuation(6), continuation(0)]
        default:
            text += [
                UInt8(truncatingIfNeeded: 0xF0 | value >> 18), continuation(12), continuation(6), continuation(0),
            ]
        }
    }
}
