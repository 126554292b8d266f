import Foundation

/// Recognises the formats of photos by their first bytes.
enum ImageSignature {
    /// The media type; nil for everything but JPEG, PNG, WebP and HEIC.
    /// - Parameter head: the first 32 bytes of a file, or all of a shorter one.
    static func mediaType(_ head: [UInt8]) -> String? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        guard head.count >= 12 else { return nil }
        if head.starts(with: Array("RIFF".utf8)), head[8..<12].elementsEqual("WEBP".utf8) { return "image/webp" }
        guard head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let brands = stride(from: 8, to: head.count - 3, by: 4).map {
            String(decoding: head[$0..<$0 + 4], as: UTF8.self)
        }
        if brands.contains(where: { $0 == "avif" || $0 == "avis" }) { return nil }
        return brands.contains { heicBrands.contains($0) } ? "image/heic" : nil
    }

    /// - Source: ISO/IEC 23008-12, annex B.
    private static let heicBrands: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]

    /// The media type of a file.
    static func mediaType(ofFile path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 32) else {
            return nil
        }
        return mediaType(Array(head))
    }
}
