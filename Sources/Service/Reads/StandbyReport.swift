import FoundationEssentials
import Postgres

/// The result of one check of a standby.
struct StandbyReport: Sendable, Hashable {
    var systemIdentifier: Int64
    /// False after a promotion.
    var isInRecovery = true
    /// After `pg_wal_replay_pause()`.
    var isPaused = false
    /// `pg_last_wal_replay_lsn()`, in bytes.
    var replayed: Int64 = 0
    /// The log there; nil if it was not queried, because the server cannot be read from.
    var log: Log?

    /// The log on a standby.
    struct Log: Sendable, Hashable {
        var epoch: Int64
        /// The positions that the read models have reached, by their schemas (`sightings_public_v3`).
        var positions: [String: Int64] = [:]
    }

    /// Checks a server, which may be of any kind.
    /// - Parameter systemIdentifier: the primary's; no table of another cluster is read.
    static func read(
        _ database: some PostgresQuerying, ofSystem systemIdentifier: Int64, within limit: Duration
    ) async throws(PostgresError) -> StandbyReport {
        let row = try await database.query(
            """
            select system_identifier, pg_is_in_recovery() as in_recovery,
                   case when pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as paused,
                   coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::bigint as replayed
              from pg_control_system()
            """, within: limit
        ).onlyRow()
        var report = StandbyReport(
            systemIdentifier: try row.decode("system_identifier"), isInRecovery: try row.decode("in_recovery"),
            isPaused: try row.decode("paused"), replayed: try row.decode("replayed"))
        if report.systemIdentifier == systemIdentifier { report.log = try await Log.read(database, within: limit) }
        return report
    }
}

extension StandbyReport.Log {
    fileprivate static func read(
        _ database: some PostgresQuerying, within limit: Duration
    ) async throws(PostgresError) -> StandbyReport.Log {
        let row = try await database.query(
            """
            select h.epoch, coalesce(c.models, '{}') as models, coalesce(c.positions, '{}') as positions
              from log.head h,
                   (select array_agg(name || '_v' || version order by name, version) as models,
                           array_agg(position order by name, version) as positions
                      from model.checkpoints) c
            """, within: limit
        ).onlyRow()
        let (models, positions): ([String], [Int64]) = (try row.decode("models"), try row.decode("positions"))
        return Self(epoch: try row.decode("epoch"), positions: Dictionary(zip(models, positions)) { $1 })
    }
}
