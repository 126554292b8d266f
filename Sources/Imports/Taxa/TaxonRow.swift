import Domain
import EventLog
import FoundationEssentials

/// A taxon as a checklist describes it, its parent still by name.
struct TaxonRow: Sendable {
    struct Parent: Sendable, Hashable {
        let scientificName: String
        /// nil if the checklist does not say.
        var rank: TaxonRank?
        /// Whether the taxon is accepted without a parent if this one is unknown.
        var isOptional = false
    }

    let line: Int
    let scientificName: PublishedText
    let rank: TaxonRank
    let kind: TaxonKind
    var parent: Parent?
    var authorship: PublishedText?
    var description: PublishedText?
    var link: PublishedText?
    var code: PublishedText?
    var names: [CommonName] = []
    var synonyms: [PublishedText] = []

    /// The taxon's id, derived from its kind, rank and scientific name.
    var id: TaxonID { Self.id(kind, rank, scientificName.text) }

    static func id(_ kind: TaxonKind, _ rank: TaxonRank, _ scientificName: String) -> TaxonID {
        TaxonID(CommandID.named("taxon", kind.rawValue, rank.rawValue, scientificName))
    }

    /// The ids that the parent may have, likeliest first.
    var parentCandidates: [TaxonID] {
        guard let parent else { return [] }
        let kinds = kind == .other ? [kind] : [kind, .other]
        let ranks = parent.rank.map { [$0] } ?? TaxonRank.allCases.filter { $0 < rank }.sorted(by: >)
        return kinds.flatMap { kind in ranks.map { Self.id(kind, $0, parent.scientificName) } }
    }
}

/// A line of a checklist that was rejected.
package struct ChecklistProblem: Sendable, Hashable, CustomStringConvertible {
    /// The line of the file, from 1.
    package let line: Int
    /// The reason, in words.
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}
