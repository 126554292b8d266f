import Foundation

/// A photo as its decoder gets it: cheap enough to decode, without the texts of a PNG, and with the end marker that
/// some JPEGs lack.
struct PreparedImage {
    let path: String
    /// Whether an end marker was added. Then only the decoder knows whether data before it is missing.
    let hasAddedEnd: Bool
    private let isCopy: Bool

    /// - Parameter folder: receives a copy if one is needed.
    /// - Throws: `Rendering.Failure`; what writing the copy throws.
    init(_ original: String, _ mediaType: String, in folder: String) throws {
        guard let image = try? Data(contentsOf: URL(filePath: original), options: .alwaysMapped) else {
            // It was there before: there is no memory to map it.
            throw Rendering.Failure.limitExceeded
        }
        let parts = ImageParts(image, mediaType)
        guard !parts.areTooMany else { throw Rendering.Failure.tooManyParts }
        switch mediaType {
        case "image/png":
            path = try PNGTexts.removed(from: original, in: folder)
            hasAddedEnd = false
        case _ where parts.lacksOnlyEnd:
            path = folder + "/with-end.jpg"
            hasAddedEnd = true
            try (image + [0xFF, 0xD9]).write(to: URL(filePath: path))
        default:
            path = original
            hasAddedEnd = false
        }
        isCopy = path != original
    }

    /// Removes the copy.
    func remove() {
        if isCopy { unlink(path) }
    }
}
