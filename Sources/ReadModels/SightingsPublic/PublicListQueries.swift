package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Reads lists of public records under a filter. Every answer is as of a ``PublicMoment`` and the same for every
/// caller.
package struct PublicListQueries: Sendable {
    /// The filter and the size of a page, and the place after which it begins.
    package struct Page: SliceRequest, Hashable {
        /// The place of a record in a list.
        package struct Key: Hashable, Sendable {
            /// The last local date of the observation.
            package let day: CivilDate
            package let id: SightingID

            package init(_ day: CivilDate, _ id: SightingID) {
                (self.day, self.id) = (day, id)
            }
        }

        package var filter: RecordFilter
        package var limit: Int
        /// nil for the first page.
        package var after: Key?

        package init(_ filter: RecordFilter = RecordFilter(), limit: Int, after: Key? = nil) {
            (self.filter, self.limit, self.after) = (filter, limit, after)
        }
    }

    private let connection: PostgresConnection
    private let glance: Int

    /// - Parameters:
    ///   - connection: in a transaction, and not used by anything else: a filter that few of many records meet makes a
    ///     long statement.
    ///   - glance: how many of the newest records are looked at before a narrower index is used.
    package init(_ connection: PostgresConnection, glance: Int = 2_000) {
        (self.connection, self.glance) = (connection, glance)
    }

    /// A page, the last local date first, then by id.
    /// - Parameter columns: what else to select, of the record `s`; it is read from the row.
    /// - Throws: `PostgresError`.
    package func page(
        _ page: Page, asOf moment: PublicMoment, and columns: SQL
    ) async throws(PostgresError) -> Slice<(sighting: PublicSighting, row: PostgresRow), Page.Key> {
        try await Self.readInOrder(connection)
        let result = try await connection.query(
            """
            select \(fragment: PublicSighting.selection), \(fragment: columns)
              from (\(fragment: PublicListStatement(page, moment, glance: glance).newest)) s
             order by s.local_to desc, s.id limit \(page.rows)
            """)
        var found: [(sighting: PublicSighting, row: PostgresRow)] = []
        found.reserveCapacity(result.count)
        for row in result.rows { found.append((try PublicSighting(row), row)) }
        return page.slice(found) { found in found.sighting.localTo.map { Page.Key($0, found.sighting.id) } }
    }

    /// The statement is written for one index. Whatever the statistics say, nothing but that is read in its order, to
    /// the end of the transaction.
    static func readInOrder(_ connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query(
            """
            select set_config(name, 'off', true)
              from (values ('enable_seqscan'), ('enable_bitmapscan'), ('enable_sort'), ('enable_hashjoin'),
                           ('enable_mergejoin'), ('jit')) s (name)
            """)
    }
}
