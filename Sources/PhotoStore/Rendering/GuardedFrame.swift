import Foundation

/// How a guarded photo is cut and scaled: to the nearest of five shapes, and to one of three sizes. Pixels of its own
/// would tell its camera, or the habits of whoever cut it.
struct GuardedFrame: Hashable {
    /// The longer side of each rendition, in pixels, by its name.
    static let sizes = ["large": 1600, "medium": 800, "thumb": 320]
    /// Width and height.
    private static let shapes = [(3, 2), (4, 3), (1, 1), (3, 4), (2, 3)]

    /// The part of the photo that is kept: its middle.
    let left: Int
    let top: Int
    let cutWidth: Int
    let cutHeight: Int
    /// The size of the rendition.
    let width: Int
    let height: Int

    /// - Parameters:
    ///   - width, height: of the photo.
    ///   - size: the longer side wanted. A photo that is smaller gets the largest of ``sizes`` that it reaches, and at
    ///     least the smallest.
    init(width: Int, height: Int, atMost size: Int) {
        let shape = Self.shapes.min { Self.distance(width, height, $0) < Self.distance(width, height, $1) } ?? (1, 1)
        let cut = (
            width: min(width, max(1, height * shape.0 / shape.1)),
            height: min(height, max(1, width * shape.1 / shape.0))
        )
        (cutWidth, cutHeight) = cut
        (left, top) = ((width - cut.width) / 2, (height - cut.height) / 2)
        let most = min(size, max(cut.width, cut.height))
        let reached = Self.sizes.values.filter { $0 <= most }.max()
        let longer = reached ?? Self.sizes.values.min() ?? size
        self.width = longer * shape.0 / max(shape.0, shape.1)
        self.height = longer * shape.1 / max(shape.0, shape.1)
    }

    /// How much must be cut off, as a factor's logarithm.
    private static func distance(_ width: Int, _ height: Int, _ shape: (Int, Int)) -> Double {
        abs(log(Double(width) / Double(height) * Double(shape.1) / Double(shape.0)))
    }
}
