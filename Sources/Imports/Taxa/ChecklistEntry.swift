import Domain
import EventLog
import FoundationEssentials
import Service

/// A taxon as a checklist describes it.
struct ChecklistEntry: Sendable {
    let line: Int
    let id: TaxonID
    private let addition: TaxonAdded
    private let existing: ExistingValues

    /// - Parameter accepted: the accepted names of the file; a synonym that is also one of them is left out, because
    ///   the accepted name takes precedence.
    init(
        _ row: TaxonRow, parent: TaxonID?, accepted: Set<PublishedText>, _ existing: ExistingValues,
        _ leftOut: inout Int
    ) {
        self.existing = existing
        line = row.line
        id = row.id
        let synonyms = row.synonyms.filter { !accepted.contains($0) }
        leftOut += row.synonyms.count { $0 != row.scientificName && accepted.contains($0) }
        addition = TaxonAdded(
            scientificName: row.scientificName, rank: row.rank, parent: parent, kind: row.kind,
            authorship: row.authorship, description: row.description, link: row.link, code: row.code, names: row.names,
            synonyms: synonyms)
    }

    /// All changes that are needed, as one decision.
    /// - Throws: `TaxonRejection`.
    func decide(_ state: TaxonState) throws -> Decision<TaxonEvent> {
        guard let taxon = state.taxon else { return try TaxonDecider.decide(.add(addition), state) }
        var state = state
        var decision = Decision<TaxonEvent>(events: [])
        for command in changes(to: taxon) {
            for event in try TaxonDecider.decide(command, state).events {
                state.evolve(event)
                decision.events.append(event)
            }
        }
        return decision
    }

    private func changes(to taxon: TaxonState.Taxon) -> [TaxonCommand] {
        /// Whether to set a value, given the present one.
        func maySet(_ known: (some Any)?) -> Bool { existing == .overwritten || known == nil }
        var commands: [TaxonCommand] = []
        if let parent = addition.parent, maySet(taxon.parent) { commands.append(.move(id, to: parent)) }
        var languages: Set<LanguageTag> = []
        for name in addition.names where languages.insert(name.language).inserted {
            if maySet(taxon.preferredName(in: name.language)) { commands.append(.name(TaxonNamed(name))) }
        }
        commands += addition.synonyms.map { .addSynonym(TaxonSynonymAdded(name: $0)) }
        let description = TaxonDescribed(
            description: Change(initial: maySet(taxon.description) ? addition.description : nil),
            link: Change(initial: maySet(taxon.link) ? addition.link : nil),
            authorship: Change(initial: maySet(taxon.authorship) ? addition.authorship : nil))
        return commands + [.describe(description)]
    }
}

extension ImportLog {
    /// Appends a decision about a taxon; the command's id derives from the stream, its version and the events.
    func append(
        _ decision: Decision<TaxonEvent>, to stream: UUID, at version: Int, named name: String
    ) async throws -> Outcome {
        let events = decision.events.flatMap { [$0.type, String(decoding: $0.payload, as: UTF8.self)] }
        let identity = identity(
            name, about: [stream.uuidString, String(version)] + events, request: CanonicalText(events))
        return try await append(AppendCommand(decision, stream: stream, expected: version, identity))
    }
}

/// How an import treats existing values.
package enum ExistingValues: Sendable {
    case overwritten
    /// Only missing values are filled in: the shipped lists are loaded at every start, and must not overwrite an
    /// operator's.
    case kept
}
