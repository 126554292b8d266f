/// Recognises the formats of photos by their first bytes.
enum ImageSignature {
    /// The media type; nil for everything but JPEG, PNG, WebP and HEIC.
    /// - Parameter head: the first ``length`` bytes of a file, or all of a shorter one.
    static func mediaType(_ head: [UInt8]) -> String? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        guard head.count >= 12 else { return nil }
        if head.starts(with: Array("RIFF".utf8)), head[8..<12].elementsEqual("WEBP".utf8) { return "image/webp" }
        return isHEIC(head) ? "image/heic" : nil
    }

    /// The bytes that are examined: more than the brands of any photo take.
    static let length = 1024

    /// Whether the file type box that a file begins with names brands of HEIC, and none of AVIF.
    private static func isHEIC(_ head: [UInt8]) -> Bool {
        let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard head[4..<8].elementsEqual("ftyp".utf8), size >= 16, size <= head.count else { return false }
        let brands = stride(from: 8, to: size - 3, by: 4).filter { $0 != minorVersion }.map {
            String(decoding: head[$0..<$0 + 4], as: UTF8.self)
        }
        return brands.contains { heicBrands.contains($0) } && !brands.contains { $0 == "avif" || $0 == "avis" }
    }

    /// Its offset in the file type box, between the major brand and the compatible ones.
    /// - Source: ISO/IEC 14496-12, section 4.3.
    private static let minorVersion = 12

    /// - Source: ISO/IEC 23008-12, annex B.
    private static let heicBrands: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
}
