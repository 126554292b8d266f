/// Why a member of an answer about a range is null.
package enum MissingReason: String, Vocabulary, Error {
    /// There are no records.
    case noRecords
    /// Fewer than 20 occupied cells.
    case fewCells
    /// All cells are equally far from the reference, so that no distribution of distances can be fitted.
    case noSpread
    /// The fitted margin lies beyond a pole.
    case beyondPole
    /// The mean of the places is the centre of the Earth.
    case noCentre
    /// Fewer than three points that are not on one line.
    case fewPoints
    /// The points span more than 180 degrees of longitude, or an edge of their hull joins nearly opposite places.
    case tooWide
    /// Fewer than half of the draws of a period have a value.
    case fewDraws
}

/// A member of an answer that is null.
package struct MissingMember: Hashable, Sendable {
    /// The path of the member, such as `south.gamma95`.
    package let member: String
    package let reason: MissingReason

    package init(member: String, reason: MissingReason) {
        (self.member, self.reason) = (member, reason)
    }
}
