import EventLog
package import Postgres

/// The reason why a standby is not read from.
package enum StandbyFault: String, Sendable, CaseIterable {
    /// It does not answer.
    case unreachable
    /// It was promoted, or never was a standby.
    case notInRecovery = "not in recovery"
    /// It belongs to another cluster.
    case otherSystem = "of another system"
    /// Its log is in another epoch.
    case otherEpoch = "in another epoch"
    /// `pg_wal_replay_pause()` was called.
    case paused
    /// It is further behind than restrictions may be, or it is not known how far.
    case behind
}

/// The conditions for reading from a standby.
package struct StandbyRequirements: Sendable {
    /// The system identifier of the primary.
    let systemIdentifier: Int64
    /// The epoch that this process reads in.
    let epoch: Int64
    /// The greatest lag. Together with the time for which caches may keep an answer, restrictions act everywhere within
    /// five minutes.
    static let toleratedLag: Duration = .seconds(30)

    /// The requirements for standbys of a primary.
    /// - Throws: `PostgresError`.
    package static func matching(
        _ primary: some PostgresQuerying
    ) async throws(PostgresError) -> StandbyRequirements {
        let row = try await primary.query(
            "select s.system_identifier, h.epoch from log.head h, pg_control_system() s"
        ).onlyRow()
        return StandbyRequirements(
            systemIdentifier: try row.decode("system_identifier"), epoch: try row.decode("epoch"))
    }

    /// The first reason that rules out the server as a standby; nil for none.
    func fault(of report: StandbyReport) -> StandbyFault? {
        if report.systemIdentifier != systemIdentifier { return .otherSystem }
        if !report.isInRecovery { return .notInRecovery }
        return report.log?.epoch == epoch ? nil : .otherEpoch
    }

    /// The first reason not to read there now; nil for none.
    func fault(of report: StandbyReport, lag: Duration?) -> StandbyFault? {
        if let fault = fault(of: report) { return fault }
        if report.isPaused { return .paused }
        guard let lag, lag <= Self.toleratedLag else { return .behind }
        return nil
    }
}
