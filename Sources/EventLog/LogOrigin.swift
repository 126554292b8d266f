package import FoundationEssentials
package import Postgres

/// Epoch, head, time and clock of the log, in one snapshot.
package struct LogOrigin: Sendable, Hashable {
    /// Changes after a restore or a failover.
    package let epoch: Int64
    /// The head; 0 for an empty log.
    package let position: Int64
    /// The last event's time.
    package let lastRecorded: Date?
    /// The database's clock.
    package let databaseTime: Date

    /// - Throws: `PostgresError`.
    package static func read(_ connection: some PostgresQuerying) async throws(PostgresError) -> LogOrigin {
        let result = try await connection.query(
            """
            select h.epoch, coalesce(e.position, 0) as position, e.recorded_at, clock_timestamp() as database_time
              from log.head h
              left join lateral (select position, recorded_at from log.events order by position desc limit 1) e on true
            """)
        let row = try result.onlyRow()
        return LogOrigin(
            epoch: try row.decode("epoch"), position: try row.decode("position"),
            lastRecorded: try row.decode("recorded_at"), databaseTime: try row.decode("database_time"))
    }
}
