package import Postgres

/// The log's epoch: it changes when the log may have lost what somebody was told, after a restore or a failover, so
/// that positions of before are not mistaken for positions of now.
package enum LogEpoch {
    /// Begins a new epoch. Needs the owner's connection.
    /// - Returns: the new epoch.
    /// - Throws: `PostgresError`.
    package static func begin(_ owner: some PostgresQuerying) async throws(PostgresError) -> Int64 {
        let result = try await owner.query(
            """
            update log.head h
               set epoch = h.epoch + 1, system_identifier = s.system_identifier, timeline = c.timeline_id
              from pg_control_system() s, pg_control_checkpoint() c
            returning h.epoch
            """)
        return try result.onlyRow().decode("epoch")
    }

    /// Begins a new epoch if the log stands on another cluster or timeline than when its epoch began.
    /// - Returns: the new epoch, or nil when nothing had changed.
    /// - Throws: `PostgresError`.
    package static func beginIfMoved(_ owner: some PostgresQuerying) async throws(PostgresError) -> Int64? {
        let result = try await owner.query(
            """
            update log.head h
               set epoch = h.epoch + 1, system_identifier = s.system_identifier, timeline = c.timeline_id
              from pg_control_system() s, pg_control_checkpoint() c
             where (h.system_identifier, h.timeline) <> (s.system_identifier, c.timeline_id)
            returning h.epoch
            """)
        return try result.first?.decode("epoch")
    }
}
