import Foundation

/// The parts of an image that take time each, however few pixels it has: counted before it is decoded.
struct ImageParts {
    /// Frames of a WebP, of which decoders look for each from the first one on; items of a HEIC and references between
    /// them, such as tiles. Phones write up to some hundred tiles.
    static let most = 1000

    let areTooMany: Bool
    /// Whether it is a JPEG of which nothing is missing but, perhaps, data that only its decoder misses, and the end
    /// marker.
    let lacksOnlyEnd: Bool

    init(_ image: Data, _ mediaType: String) {
        var lacksOnlyEnd = false
        switch mediaType {
        case "image/jpeg":
            let markers = JPEGMarkers(image)
            areTooMany = markers.areTooMany
            lacksOnlyEnd = !markers.hasEnd && markers.coverAll
        case "image/webp": areTooMany = image.withUnsafeBytes { Self.frames(of: $0) } > Self.most
        case "image/heic": areTooMany = image.withUnsafeBytes { Self.items(of: $0) } > Self.most
        default: areTooMany = false
        }
        self.lacksOnlyEnd = lacksOnlyEnd
    }

    /// - Source: WebP Container Specification, "Extended File Format".
    private static func frames(of webP: UnsafeRawBufferPointer) -> Int {
        var (frames, offset) = (0, 12)
        while frames <= most, offset <= webP.count - 8 {
            if webP[offset..<offset + 4].elementsEqual("ANMF".utf8) { frames += 1 }
            // The lowest byte first, padded to an even number.
            let size = webP[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            offset += 8 + size + size % 2
        }
        return frames
    }

    /// - Source: ISO/IEC 14496-12, sections 8.11.6 and 8.11.12.
    private static func items(of heic: UnsafeRawBufferPointer) -> Int {
        var parts = 0
        eachBox(in: heic) { type, content in
            guard type == "meta", content.count >= 4 else { return }
            eachBox(in: UnsafeRawBufferPointer(rebasing: content[4...])) { type, content in
                switch type {
                case "iinf": parts += content.number(at: 4, bytes: content.first == 0 ? 2 : 4) ?? 0
                case "iref": parts += references(content)
                default: break
                }
            }
        }
        return parts
    }

    private static func references(_ content: UnsafeRawBufferPointer) -> Int {
        guard content.count >= 4 else { return 0 }
        let idLength = content[0] == 0 ? 2 : 4
        var references = 0
        eachBox(in: UnsafeRawBufferPointer(rebasing: content[4...])) {
            references += $1.number(at: idLength, bytes: 2) ?? 0
        }
        return references
    }

    /// - Source: ISO/IEC 14496-12, section 4.2.
    private static func eachBox(
        in bytes: UnsafeRawBufferPointer, _ body: (_ type: String, _ content: UnsafeRawBufferPointer) -> Void
    ) {
        var offset = 0
        while let short = bytes.number(at: offset, bytes: 4), offset <= bytes.count - 8 {
            let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            let (size, head) =
                switch short {
                case 0: (bytes.count - offset, 8)
                case 1: (bytes.number(at: offset + 8, bytes: 8) ?? 0, 16)
                default: (short, 8)
                }
            guard size >= head, size <= bytes.count - offset else { return }
            body(type, UnsafeRawBufferPointer(rebasing: bytes[offset + head..<offset + size]))
            offset += size
        }
    }
}
