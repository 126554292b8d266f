import Foundation

/// The text chunks of a PNG. Nothing here reads them, but a decoder inflates them all: to fifty megabytes each, in any
/// number.
enum PNGTexts {
    private static let signatureLength = 8
    /// The bytes of a chunk besides its data: length, type and checksum.
    private static let frameLength = 12
    private static let types = ["tEXt", "zTXt", "iTXt"].map { Data($0.utf8) }

    /// A copy of a file without its text chunks.
    /// - Parameter folder: receives the copy.
    /// - Returns: the path of the copy, or of the file itself if it has no text chunks.
    /// - Throws: what reading and writing throw.
    static func removed(from path: String, in folder: String) throws -> String {
        let png = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        guard let rest = removed(from: png) else { return path }
        let copy = folder + "/without-texts.png"
        try rest.write(to: URL(filePath: copy))
        return copy
    }

    /// - Returns: nil where there are none. Data after a truncated chunk is left unchanged.
    /// - Source: PNG specification (third edition), sections 5.3 and 11.3.3.
    static func removed(from png: Data) -> Data? {
        var kept: [Range<Int>] = []
        var (start, next) = (png.startIndex, png.startIndex + signatureLength)
        while let end = endOfChunk(at: next, in: png) {
            if types.contains(png[next + 4..<next + 8]) {
                kept.append(start..<next)
                start = end
            }
            next = end
        }
        guard !kept.isEmpty else { return nil }
        return (kept + [start..<png.endIndex]).reduce(into: Data()) { $0.append(png[$1]) }
    }

    private static func endOfChunk(at start: Int, in png: Data) -> Int? {
        guard png.endIndex - start >= frameLength else { return nil }
        let length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= png.endIndex - start - frameLength else { return nil }
        return start + frameLength + length
    }
}
