package import Domain
import Postgres
package import ReadModels

extension PublicReader {
    /// A page of the records that meet a filter, each as ``sighting(_:asOf:)`` returns it.
    /// - Throws: what the database throws.
    package func list(
        _ page: PublicListQueries.Page, asOf moment: PublicMoment
    ) async throws -> Slice<PublicRecord, PublicListQueries.Page.Key> {
        let found = try await reading {
            try await PublicListQueries($0).page(page, asOf: moment, and: Self.told(asOf: moment))
        }
        let names = try await summaries(of: Set(found.items.compactMap(\.sighting.taxon)), asOf: moment)
        return found.with(try found.items.map { try Self.record($0.sighting, $0.row, names) })
    }

    /// The number of records that meet a filter.
    /// - Throws: what the database throws.
    package func count(_ filter: RecordFilter, asOf moment: PublicMoment) async throws -> BulkCount {
        var query = BulkQuery(filter: filter)
        if filter.statuses.isEmpty { query.filter.statuses = Set(SightingStatus.ofRecords) }
        return try await reading { [query] in
            try await PublicSightingQueries($0).count(of: query, asOf: moment)
        }
    }

    /// A filter that few records meet makes a long statement, which must not hold up those on a shared connection.
    func reading<Value: Sendable>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.transaction(.readOnly, body)
        } catch {
            throw error.underlying
        }
    }
}
