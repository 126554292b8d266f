package import Domain
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
    let reads: Reads
    let catalogue: Catalogue

    /// A page of the species that a birder has found, the latest addition first.
    /// - Returns: also the number of species on all pages.
    /// - Throws: as ``Reads/read(_:_:_:)``.
    package func species(
        of account: AccountID, _ page: SpeciesQueries.Page, _ asked: Asked
    ) async throws -> Shown<(slice: Slice<FoundSpecies, MomentKey>, total: Int)> {
        try await reads.read(SpeciesQueries.plan, asked) { [catalogue] source in
            let (listed, total) = try await SpeciesQueries(source.pool).species(of: account, page)
            let names = catalogue.names
            let species = listed.items.map { FoundSpecies(listed: $0, taxon: names.summary(of: $0.species)) }
            return (listed.with(species), total)
        }
    }

    /// A page of a birder's outings, the latest first.
    /// - Throws: as ``Reads/read(_:_:_:)``.
    package func visits(
        of account: AccountID, _ page: VisitQueries.Page, _ asked: Asked
    ) async throws -> Shown<Slice<Outing, MomentKey>> {
        try await reads.read(VisitQueries.plan, asked) { [catalogue] source in
            let listed = try await VisitQueries(source.pool).visits(of: account, page)
            let typed = try await ContentStore(database: source.pool).content(
                of: listed.items.flatMap(\.findings).map(\.id.uuid), fields: [.verbatimName])
            let names = catalogue.names
            let visits = listed.items.map { visit in
                Outing(
                    listed: visit,
                    findings: visit.findings.map { finding in
                        Outing.Finding(
                            listed: finding, taxon: finding.taxon.flatMap { names.summary(of: $0) },
                            verbatimName: typed[finding.id.uuid]?[.verbatimName])
                    })
            }
            return listed.with(visits)
        }
    }
}
