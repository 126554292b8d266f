package import FoundationEssentials
package import Postgres

/// The log's epoch: it changes when the log may have lost acknowledged events, after a restore or a failover, so
/// that old positions are not mistaken for new ones.
package enum LogEpoch {
    /// The timeline that is written to, as names of WAL files begin with it. The control file would name the old one
    /// until the first checkpoint after a promotion has completed, minutes later.
    static let timeline: SQL = "('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer"

    /// Begins a new epoch and accepts the database's clock. Needs the owner's connection.
    /// - Returns: the new epoch.
    /// - Throws: `PostgresError`.
    package static func begin(_ owner: some PostgresQuerying) async throws(PostgresError) -> Int64 {
        let result = try await owner.query(
            """
            with accepted as (update log.clock_mark set at = log.clock())
            update log.head h
               set epoch = h.epoch + 1, system_identifier = s.system_identifier, timeline = \(fragment: Self.timeline)
              from pg_control_system() s
            returning h.epoch
            """)
        return try result.onlyRow().decode("epoch")
    }

    /// Begins a new epoch if the log is on another cluster or timeline than when its epoch began.
    /// - Returns: the new epoch, or nil when nothing had changed.
    /// - Throws: `PostgresError`.
    package static func beginIfMoved(_ owner: some PostgresQuerying) async throws(PostgresError) -> Int64? {
        let result = try await owner.query(
            """
            update log.head h
               set epoch = h.epoch + 1, system_identifier = s.system_identifier, timeline = \(fragment: Self.timeline)
              from pg_control_system() s
             where (h.system_identifier, h.timeline) <> (s.system_identifier, \(fragment: Self.timeline))
            returning h.epoch
            """)
        return try result.first?.decode("epoch")
    }
}

/// Epoch, head and time of the log, in one snapshot.
package struct LogOrigin: Sendable, Hashable {
    /// Changes after a restore or a failover.
    package let epoch: Int64
    /// The head; 0 for an empty log.
    package let position: Int64
    /// The last event's time.
    package let lastRecorded: Date?

    /// - Throws: `PostgresError`.
    package static func read(_ connection: some PostgresQuerying) async throws(PostgresError) -> LogOrigin {
        let result = try await connection.query(
            """
            select h.epoch, coalesce(e.position, 0) as position, e.recorded_at
              from log.head h
              left join lateral (select position, recorded_at from log.events order by position desc limit 1) e on true
            """)
        let row = try result.onlyRow()
        return LogOrigin(
            epoch: try row.decode("epoch"), position: try row.decode("position"),
            lastRecorded: try row.decode("recorded_at"))
    }
}
