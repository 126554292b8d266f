package import Domain
import Postgres
import ReadModels

/// The rows of a range with the taxon's name.
package struct NamedRange: Sendable {
    package let query: RangeQuery
    /// Nil for one that was not known yet.
    package let taxon: TaxonSummary?
    package let table: RangeTable
}

extension PublicReader {
    /// The range of a taxon and all below it.
    /// - Throws: ``TooManyRangeRows``; what the database throws.
    func range(_ query: RangeQuery, borders: LandBorders, asOf moment: PublicMoment) async throws -> NamedRange {
        // As a map of everything, it takes long.
        let counts = try await pool.withExclusive { connection in
            try await RangeQueries(connection).counts(for: query, asOf: moment)
        }
        let names = try await summaries(of: [query.taxon], asOf: moment)
        return NamedRange(
            query: query, taxon: names.summary(of: query.taxon),
            table: try RangeTable(counts, for: query, borders: borders))
    }
}
