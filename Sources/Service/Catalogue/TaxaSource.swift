package import Domain
package import Postgres
internal import ReadModels

/// The taxa's read model as the source of the catalogue.
package struct TaxaSource: Catalogue.Source {
    private let queries: TaxonQueries

    package init(_ database: any PostgresQuerying) {
        queries = TaxonQueries(database)
    }

    package func changed(since position: Int64) async throws -> Bool {
        try await !queries.changes(after: position).taxa.isEmpty
    }

    package func taxa() async throws -> (entries: [TaxonEntry], position: Int64) {
        let taxa = try await queries.changes().taxa
        return (taxa.map(\.entry), taxa.map(\.position).max() ?? 0)
    }
}
