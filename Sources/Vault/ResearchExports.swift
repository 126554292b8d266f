package import Domain
package import FoundationEssentials
package import Postgres

/// Keeps the exports of researchers for seven days. Each belongs to one account.
package struct ResearchExports: Sendable {
    /// Seconds for which an export is kept.
    package static let kept = 7 * 86_400

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Keeps an export, and deletes those that are older than seven days.
    /// - Returns: the export of the key, which may be that of an earlier request.
    package func keep(
        _ format: ExportFormat, _ filter: String, ranges: String?, _ rejected: RejectedChoice, asOf day: CivilDate?,
        _ pin: ExportPin, for account: AccountID, key: UUID
    ) async throws(PostgresError) -> ResearchExport? {
        try await database.query("DELETE FROM vault.research_exports x WHERE NOT \(fragment: Self.isKept)")
        try await database.query(
            """
            INSERT INTO vault.research_exports
                   (id, account, key, format, filter, ranges, rejected, as_of, known, guarded)
            VALUES (\(UUID()), \(account.uuid), \(key), \(format.rawValue), \(filter), \(ranges),
                    \(rejected.rawValue), \(day?.description)::text::date, \(Int64(pin.known)), \(Int64(pin.guarded)))
            ON CONFLICT (account, key) DO NOTHING
            """)
        return try await export(ofKey: key, of: account)
    }

    /// The export that an account asked for with an idempotency key; nil for none.
    package func export(ofKey key: UUID, of account: AccountID) async throws(PostgresError) -> ResearchExport? {
        try await exports("x.account = \(account.uuid) AND x.key = \(key)").first
    }

    /// An export of an account; nil for none, and for those of others.
    package func export(_ id: ExportID, of account: AccountID) async throws(PostgresError) -> ResearchExport? {
        try await exports("x.account = \(account.uuid) AND x.id = \(id.uuid)").first
    }

    /// The exports of an account, the newest first.
    package func exports(of account: AccountID) async throws(PostgresError) -> [ResearchExport] {
        try await exports("x.account = \(account.uuid)")
    }

    private func exports(_ condition: SQL) async throws(PostgresError) -> [ResearchExport] {
        let result = try await database.query(
            """
            SELECT x.id, x.format, x.filter, x.ranges, x.rejected, x.as_of::text AS as_of, x.known, x.guarded,
                   x.requested_at
              FROM vault.research_exports x
             WHERE \(fragment: condition) AND \(fragment: Self.isKept) ORDER BY x.requested_at DESC, x.id
            """)
        var exports: [ResearchExport] = []
        for row in result.rows {
            let day: String? = try row.decode("as_of")
            // A format that only a later version knows cannot be made by this one.
            guard let format = ExportFormat(rawValue: try row.decode("format")),
                let rejected = RejectedChoice(rawValue: try row.decode("rejected"))
            else { continue }
            exports.append(
                ResearchExport(
                    id: ExportID(try row.decode("id", as: UUID.self)), format: format,
                    filter: try row.decode("filter"), ranges: try row.decode("ranges"), rejected: rejected,
                    day: day.flatMap { try? CivilDate($0) },
                    pin: ExportPin(
                        known: Int(try row.decode("known", as: Int64.self)),
                        guarded: Int(try row.decode("guarded", as: Int64.self))),
                    requestedAt: Instant(try row.decode("requested_at", as: Date.self))))
        }
        return exports
    }

    private static let isKept: SQL = "x.requested_at >= log.clock() - interval '7 days'"
}
