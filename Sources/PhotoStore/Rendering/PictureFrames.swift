/// The frames of a picture: its inner part, and the parts that would be the inner part of another picture if this one
/// were a copy of it, or the other way round: cut, with a border, turned, mirrored, or with bars above and below.
///
/// A picture is found by its inner part, without and with uniform borders. The frames of a later one look for it there:
/// the inner part of a picture is also in a copy from which less than its margin was cut off, though elsewhere.
enum PictureFrames {
    /// A frame in a picture or in what is left of it without borders.
    struct Frame: Hashable, Sendable {
        var margins: GreyPicture.Margins
        var degrees = 0.0
    }

    /// The inner part.
    static let inner = Frame(margins: GreyPicture.Margins(margin))
    private static let margin = 0.07

    static let all = centred + shifted + cornered + turned

    private static let centred = [0, 0.015, 0.03, 0.045, 0.06, 0.07, 0.085, 0.1, 0.115, 0.13].map {
        Frame(margins: GreyPicture.Margins($0))
    }

    private static var sides: [WritableKeyPath<GreyPicture.Margins, Double>] {
        [\.left, \.top, \.right, \.bottom]
    }

    /// One side was cut, of this picture or of the other one.
    private static let shifted = [-0.05, -0.025, 0.025, 0.05].flatMap { cut in
        sides.map { frame(cut, [$0]) }
    }

    /// Two sides were cut.
    private static let cornered = [-0.05, 0.05].flatMap { cut in
        sides.indices.flatMap { first in
            sides[(first + 1)...].map { frame(cut, [sides[first], $0]) }
        }
    }

    private static func frame(
        _ cut: Double, _ sides: [WritableKeyPath<GreyPicture.Margins, Double>]
    ) -> Frame {
        var margins = inner.margins
        for side in sides { margins[keyPath: side] += cut }
        return Frame(margins: margins)
    }

    private static let turned = [-3, -1.5, 1.5, 3].flatMap { degrees in
        [0.03, 0.055, 0.08, 0.11].map { Frame(margins: GreyPicture.Margins($0), degrees: degrees) }
    }

    /// The hashes by which later pictures find this one; none of a part that shows too little.
    static func stored(_ picture: GreyPicture) -> [LikenessHash] {
        picture.boxes.compactMap { hash(of: inner, in: $0, picture) }
    }

    /// The hashes by which this picture finds earlier ones; none of a part that shows too little.
    static func sought(_ picture: GreyPicture) -> [LikenessHash] {
        let found = picture.boxes.flatMap { box in all.compactMap { hash(of: $0, in: box, picture) } }
        return found + found.map(\.mirrored)
    }

    private static func hash(of frame: Frame, in box: GreyPicture.Box, _ picture: GreyPicture) -> LikenessHash? {
        let samples = picture.samples(
            of: box.inset(frame.margins), turnedBy: frame.degrees, size: LikenessHash.size)
        return PictureDetail.isEnough(samples) ? LikenessHash(samples) : nil
    }
}
