package import Domain
package import Postgres
internal import ReadModels

/// The taxa's read model as the source of the catalogue.
package struct TaxaSource: Catalogue.Source {
    private let queries: TaxonQueries

    /// Reads the taxa's model through a pool or a connection.
    package init(_ database: any PostgresQuerying) {
        queries = TaxonQueries(database)
    }

    /// Whether any taxon has events above a position.
    /// - Throws: `PostgresError`.
    package func changed(since position: Int64) async throws -> Bool {
        try await !queries.changes(after: position).taxa.isEmpty
    }

    /// All taxa, and the position of the last event they know; 0 where there are none.
    /// - Throws: `PostgresError`.
    package func taxa() async throws -> (entries: [TaxonEntry], position: Int64) {
        let taxa = try await queries.changes().taxa
        return (taxa.map(\.entry), taxa.map(\.position).max() ?? 0)
    }
}
