import Foundation

/// JPEGs of four megapixels with different bytes: one photo, enlarged, each time with another comment. The service
/// stores equal bytes once, which would be less work.
struct PhotoFiles: Sendable {
    private let bytes: [UInt8]
    private let folder: String

    /// - Throws: ``ProgramError`` where vipsthumbnail or the photo is missing.
    init(_ laboratory: Laboratory) async throws {
        folder = laboratory.folder
        let file = folder + "/large.jpg"
        try await Program("vipsthumbnail").run(
            [laboratory.plan.photo, "--size", "2448x1632!", "--output", file + "[Q=90,strip]"], in: folder)
        bytes = Array(try Data(contentsOf: URL(filePath: file)))
        show("a photo has \(bytes.count / 1_000) kB")
    }

    /// A new photo.
    /// - Parameter size: comments fill it up to about this many bytes.
    func next(size: Int = 0) -> [UInt8] {
        var comments = comment(Array(UUID().uuidString.utf8))
        let most = 65_533
        while bytes.count + comments.count + most < size { comments += comment([UInt8](repeating: 0x20, count: most)) }
        // After the start-of-image marker.
        return bytes.prefix(2) + comments + bytes.dropFirst(2)
    }

    /// New photos in files.
    /// - Returns: their paths.
    func written(_ count: Int) throws -> [String] {
        try (0..<count).map { _ in
            let path = folder + "/photo-" + UUID().uuidString + ".jpg"
            try Data(next()).write(to: URL(filePath: path))
            return path
        }
    }

    /// A COM segment (ITU-T T.81, B.2.4.5).
    private func comment(_ text: [UInt8]) -> [UInt8] {
        let length = text.count + 2
        return [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + text
    }
}
