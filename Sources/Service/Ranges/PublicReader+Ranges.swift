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

/// The trend of an end of a range with the taxon's name.
package struct NamedTrend: Sendable {
    package let query: TrendQuery
    /// Nil for one that was not known yet.
    package let taxon: TaxonSummary?
    package let trend: MarginTrend
}

extension PublicReader {
    /// For records and visits: the length of a visit's list depends on the ranks of taxa.
    static let visits = sequences.with(ReadPlan(.taxa))

    /// The range of a taxon and all below it.
    /// - Parameter limit: how long the computation may take after the records are read.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``; what the database throws.
    func range(
        _ query: RangeQuery, borders: LandBorders, asOf moment: PublicMoment, within limit: Duration
    ) async throws -> NamedRange {
        // As slow as a map of all records.
        let counts = try await pool.withExclusive { connection in
            try await Self.counts(for: query, connection, asOf: moment)
        }
        let names = try await summaries(of: [query.taxon], asOf: moment)
        return NamedRange(
            query: query, taxon: names.summary(of: query.taxon),
            table: try await RangeTable(counts, for: query, borders: borders, within: ComputingTime(limit: limit)))
    }

    /// The trend of an end of the range of a taxon and all below it.
    /// - Parameter limit: how long the computation may take after the records are read.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``; what the database throws.
    func trend(
        _ query: TrendQuery, borders: LandBorders, asOf moment: PublicMoment, within limit: Duration
    ) async throws -> NamedTrend {
        let (counts, visits) = try await pool.withExclusive { connection in
            (
                try await Self.counts(for: query.range, connection, asOf: moment),
                try await PublicVisitQueries(connection).visits(for: query.range, asOf: moment)
            )
        }
        let names = try await summaries(of: [query.range.taxon], asOf: moment)
        return NamedTrend(
            query: query, taxon: names.summary(of: query.range.taxon),
            trend: try await MarginTrend(
                counts, visits, for: query, asOf: moment.day, borders: borders, within: ComputingTime(limit: limit)))
    }

    /// The records of a range, which are kept in memory.
    /// - Throws: ``TooManyRangeRows``; what the database throws.
    private static func counts(
        for query: RangeQuery, _ connection: any PostgresQuerying, asOf moment: PublicMoment
    ) async throws -> RangeCounts {
        let most = RangeQueries.mostGroups
        let counts = try await RangeQueries(connection).counts(for: query, asOf: moment, most: most)
        guard counts.groups.count <= most else { throw TooManyRangeRows(most: most, part: .records) }
        return counts
    }
}
