package import Domain
package import FoundationEssentials

/// A sighting as its owner may see it, at one of its versions.
package struct Finding: Sendable {
    package let id: SightingID
    /// What is recorded of it.
    package let record: SightingRecord
    /// Where it stands.
    package let status: SightingStatus
    /// Why it was withdrawn, while it is.
    package let withdrawal: WithdrawalReason?
    /// The taxon as it is named now.
    package let taxon: TaxonSummary?
    /// What the observer wrote beside it; nil for nothing.
    package let notes: String?
    /// The name as it was typed; nil where a taxon was chosen.
    package let verbatimName: String?
    /// The stream's version.
    package let version: Int
    /// Of the event that made this version.
    package let position: Int64
    /// When the sighting was first recorded.
    package let createdAt: Date
}

/// What a command about a sighting came to.
package struct SightingOutcome: Sendable {
    /// The sighting as the command left it.
    package let finding: Finding
    /// The command had been carried out before; the finding is as it left it.
    package let isRepeat: Bool
    /// Taxa that a name which fits none may have meant.
    package let suggestions: [TaxonSummary]
}
