package import Domain
import EventLog
import Postgres
package import ReadModels
import Vault

/// A species that a birder has found.
package struct FoundSpecies: Sendable {
    package let listed: ListedSpecies
    /// nil where the catalogue lacks the species.
    package let taxon: TaxonSummary?
}

/// An outing of a birder.
package struct Outing: Sendable {
    /// A finding of an outing.
    package struct Finding: Sendable {
        package let listed: ListedVisit.Finding
        /// nil for unidentified.
        package let taxon: TaxonSummary?
        /// The name as typed; nil if a taxon was chosen.
        package let verbatimName: String?
    }

    package let listed: ListedVisit
    package let findings: [Finding]
}

/// Reads what a birder's findings amount to: species and outings. It is computed when it is read.
package struct OwnLists: Sendable {
    /// The name of the read model that is queried.
    package static let model = ReadModel.sightingsExact.name
    /// The name of the read model that its lists are joined with.
    package static let other = ReadModel.taxa.name

    let router: ReadRouter
    let catalogue: Catalogue
    let turns: FairTurns

    /// A page of the species that a birder has found, the latest addition first.
    /// - Parameter position: what the answer must reflect; the primary's models have reached it.
    /// - Returns: also the number of species on all pages, and a position that the answer reflects at least.
    /// - Throws: what the database throws.
    package func species(
        of account: AccountID, _ page: SpeciesQueries.Page, seeing position: Int64
    ) async throws -> (species: [FoundSpecies], total: Int, position: Int64) {
        try await read(seeing: position) { [catalogue] source in
            let (listed, total) = try await SpeciesQueries(source.pool).species(of: account, page)
            let names = catalogue.names
            let species = listed.map { FoundSpecies(listed: $0, taxon: names.summary(of: $0.species)) }
            return (species, total, source.position)
        }
    }

    /// A page of a birder's outings, the latest first.
    /// - Parameter position: what the answer must reflect; the primary's models have reached it.
    /// - Returns: also whether there are further ones, and a position that the answer reflects at least.
    /// - Throws: what the database throws.
    package func visits(
        of account: AccountID, _ page: VisitQueries.Page, seeing position: Int64
    ) async throws -> (visits: [Outing], hasMore: Bool, position: Int64) {
        try await read(seeing: position) { [catalogue] source in
            let (listed, hasMore) = try await VisitQueries(source.pool).visits(of: account, page)
            let typed = try await ContentStore(database: source.pool).content(
                of: listed.flatMap(\.findings).map(\.id.uuid), fields: [.verbatimName])
            let names = catalogue.names
            let visits = listed.map { visit in
                Outing(
                    listed: visit,
                    findings: visit.findings.map { finding in
                        Outing.Finding(
                            listed: finding, taxon: finding.taxon.flatMap { names.summary(of: $0) },
                            verbatimName: typed[finding.id.uuid]?[.verbatimName])
                    })
            }
            return (visits, hasMore, source.position)
        }
    }

    private func read<Value: Sendable>(
        seeing position: Int64, _ body: @escaping @Sendable (ReadSource) async throws -> Value
    ) async throws -> Value {
        try await turns.take(by: TurnClient.address) {
            try await router.read(.sightingsExact, with: [.taxa], seeing: position, body)
        }
    }
}
