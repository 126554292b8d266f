package import Domain
import EventLog
import FoundationEssentials
package import Postgres

extension PublicSightingQueries {
    /// How many records are in a bulk answer at only one of two moments, which differ in the restrictions that apply.
    /// - Throws: `PostgresError`.
    package func restricted(
        in query: BulkQuery, from earlier: PublicMoment, to later: PublicMoment
    ) async throws(PostgresError) -> Int {
        let result = try await database.query(
            """
            select count(*) as records
              from \(fragment: Self.table)
             where (\(fragment: Self.isIncluded(query, asOf: earlier)))
                   is distinct from (\(fragment: Self.isIncluded(query, asOf: later)))
            """)
        return try result.onlyRow().decode("records")
    }

    /// Whether anything was recorded after a position that may have taken values, for ever, from records of earlier
    /// moments.
    /// - Throws: `PostgresError`.
    package func hasLosses(after position: Int64) async throws(PostgresError) -> Bool {
        let types = [
            AccountErased.type, AccountNamesForgotten.type, DisplayNameRemoved.type, SightingWithdrawn.type,
            PayloadRedacted.type,
        ]
        return try await database.query(
            """
            select exists (select from log.events e where e.position > \(position) and e.type = any(\(types))) as found
            """
        ).onlyRow().decode("found")
    }
}
