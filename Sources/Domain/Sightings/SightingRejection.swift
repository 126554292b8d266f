/// Why a sighting command may be refused.
package enum SightingRejection: Error, Equatable, Sendable {
    /// There is no such sighting, or it is another observer's: the two are not told apart.
    case notFound
    /// The stream already holds a sighting.
    case alreadySubmitted
    /// The record is of another dataset.
    case otherDataset
    /// It was withdrawn.
    case withdrawn(WithdrawalReason)
    /// A part of it was redacted; it can be withdrawn, but not corrected.
    case redacted
    /// Values contradict the rules.
    case invalid(Faults)
}
