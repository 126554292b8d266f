package import Domain
import EventLog
package import Postgres

/// A public record as researchers may see it: also one that is rejected for a reason about the record, with the values
/// that it would have if it were not.
package struct ResearchSighting: Sendable {
    package let sighting: PublicSighting
    /// The reasons for which it is rejected; empty for other records.
    package let reasons: [SightingReason]
}

/// Reads lists of public records and of rejected ones. They lie in a table of their own, which no other query reads.
package struct ResearchListQueries: Sendable {
    /// The filter, the choice of rejected records, the size of a page, and the place after which it begins. Statuses of
    /// the filter choose among the records that are not rejected.
    package struct Page: Hashable, Sendable {
        package var list: PublicListQueries.Page
        package var rejected: RejectedChoice

        package init(_ list: PublicListQueries.Page, rejected: RejectedChoice) {
            (self.list, self.rejected) = (list, rejected)
        }
    }

    private let connection: PostgresConnection
    private let glance: Int

    /// - Parameters: as of ``PublicListQueries/init(_:glance:)``.
    package init(_ connection: PostgresConnection, glance: Int = 2_000) {
        (self.connection, self.glance) = (connection, glance)
    }

    /// A page, in the order of ``PublicListQueries/page(_:asOf:and:)``.
    /// - Parameter columns: what else to select, of the record `s`; it is read from the row.
    /// - Throws: `PostgresError`.
    package func page(
        _ page: Page, asOf moment: PublicMoment, and columns: SQL
    ) async throws(PostgresError) -> Slice<(found: ResearchSighting, row: PostgresRow), PublicListQueries.Page.Key> {
        try await PublicListQueries.readInOrder(connection)
        let result = try await connection.query(
            """
            select \(fragment: PublicSighting.selection), s.reasons, \(fragment: columns)
              from (\(fragment: records(page, moment))) s
             order by s.local_to desc, s.id limit \(page.list.rows)
            """)
        var found: [(found: ResearchSighting, row: PostgresRow)] = []
        found.reserveCapacity(result.count)
        for row in result.rows {
            found.append((ResearchSighting(sighting: try PublicSighting(row), reasons: try Self.reasons(row)), row))
        }
        return page.list.slice(found) { one in
            one.found.sighting.localTo.map { PublicListQueries.Page.Key($0, one.found.sighting.id) }
        }
    }

    /// The first records of each table that is asked for. A rejected record has no photo that is shown.
    private func records(_ page: Page, _ moment: PublicMoment) -> SQL {
        var list = page.list
        list.filter.statuses = []
        let rejected: SQL =
            list.filter.hasPhoto == true
            ? "select s.* from \(fragment: Self.table) where false"
            : """
            select s.* from (\(fragment: PublicListStatement(list, moment, glance: glance, of: Self.table).newest)) s
            """
        if page.rejected == .only { return rejected }
        return """
            select s.*, null::uuid as account, null::text[] as reasons
              from (\(fragment: PublicListStatement(page.list, moment, glance: glance).newest)) s
            union all
            \(fragment: rejected)
            """
    }

    /// The table of rejected records, named `s`: that of records, with `account` and `reasons`.
    static let table: SQL = "\(identifier: ReadModel.sightingsPublic.schema).rejected s"

    /// The reasons in the column `reasons` of a row.
    /// - Throws: `PostgresError`.
    package static func reasons(_ row: PostgresRow) throws(PostgresError) -> [SightingReason] {
        let words: [String]? = try row.decode("reasons")
        return (words ?? []).compactMap(SightingReason.init(rawValue:))
    }
}
