package import Domain
internal import EventLog
internal import FoundationEssentials
package import Postgres
package import ReadModels
internal import Vault

/// A public sighting with what may be told beside its row.
package struct PublicRecord: Sendable {
    /// The row of the read model.
    package let row: PublicSighting
    /// The taxon as it is named now; nil for none.
    package let taxon: TaxonSummary?
    /// The observer's public name; nil for an anonymous one.
    package let observerName: String?
    /// The notes, where they may be shown.
    package let notes: String?
    /// The name as it was typed, where it may be shown.
    package let verbatimName: String?
    /// The title of the dataset it was imported with; nil for what birders submitted.
    package let datasetTitle: String?
}

/// Reads what anyone may see.
package struct PublicReader: Sendable {
    /// The model these answers come from.
    package static let model = ReadModel.sightingsPublic.name

    private let pool: PostgresPool
    private let queries: PublicSightingQueries
    private let contents: ContentStore
    private let observers: AccountQueries
    private let catalogue: Catalogue

    /// Reads through a pool, and names taxa by the catalogue.
    package init(_ pool: PostgresPool, catalogue: Catalogue) {
        self.pool = pool
        queries = PublicSightingQueries(pool)
        contents = ContentStore(database: pool)
        observers = AccountQueries(pool)
        self.catalogue = catalogue
    }

    /// A sighting by its public id.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func sighting(_ id: SightingID, asOf moment: PublicMoment) async throws -> PublicRecord {
        guard let row = try await queries.sighting(id, asOf: moment) else { throw CommandError.notFound }
        if row.kind == .gone { throw CommandError.gone }
        return try await record(row, asOf: moment.known)
    }

    /// What was known of a sighting, one after the other.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func history(_ id: SightingID, asOf moment: PublicMoment) async throws -> [PublicSighting] {
        let rows = try await queries.history(of: id, asOf: moment)
        guard let last = rows.last else { throw CommandError.notFound }
        if last.kind == .gone { throw CommandError.gone }
        return rows.filter { $0.kind != .gone }
    }

    /// The map of a taxon and all below it.
    /// - Throws: what the database throws.
    package func map(of taxon: TaxonID, _ view: MapView, asOf moment: PublicMoment) async throws -> MapAnswer {
        let taxa = try await queries.taxonAndBelow(taxon, asOf: moment.known)
        // A map of everything may take longer than the statements others wait behind.
        return try await pool.withExclusive { connection in
            try await PublicSightingQueries(connection).map(of: taxa, view, asOf: moment)
        }
    }

    private func record(_ row: PublicSighting, asOf position: Int64) async throws -> PublicRecord {
        let typed = row.showsContent ? try await contents.content(of: row.id.uuid, asOf: position) : StreamContent()
        return PublicRecord(
            row: row, taxon: row.taxon.flatMap { catalogue.names.summary(of: $0) },
            observerName: try await name(of: row.observer), notes: typed[.notes], verbatimName: typed[.verbatimName],
            datasetTitle: try await title(of: row.dataset))
    }

    private func title(of dataset: DatasetID?) async throws -> String? {
        guard let dataset else { return nil }
        return try await contents.content(of: dataset.uuid)[.title]
    }

    private func name(of observer: ObserverID?) async throws -> String? {
        guard let observer, let account = try await observers.account(observer: observer),
            account.attribution == .displayName
        else { return nil }
        return try await contents.content(of: account.id.uuid)[.displayName] ?? AccountService.defaultName(observer)
    }
}
