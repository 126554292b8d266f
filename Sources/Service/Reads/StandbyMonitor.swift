package import Logging
import NIOConcurrencyHelpers
package import Postgres

/// Checks the primary and its standbys once a second, and decides which standbys are read from.
package struct StandbyMonitor: Sendable {
    private let standbys: [Standby]
    private let primary: PostgresPool
    private let interval: Duration
    /// Longer than ``StandbyRequirements/toleratedLag``: a lag beyond the span is not known.
    private let history = NIOLockedValueBox(ReplayHistory(span: .seconds(60)))
    private let logger: Logger

    package init(_ standbys: [Standby], primary: PostgresPool, interval: Duration = .seconds(1), logger: Logger) {
        (self.standbys, self.primary, self.interval, self.logger) = (standbys, primary, interval, logger)
    }

    /// Maintains the standbys' connections and checks them, until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await followPrimary() }
            for standby in standbys {
                group.addTask { await standby.pool.run() }
                // A standby that does not answer does not delay the others.
                group.addTask { await watch(standby) }
            }
        }
    }

    /// Repeats the check until each standby is judged as by a process that serves; a lagging one takes as long as its
    /// lag, half a minute at most.
    package func look() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await run() }
            let start = ContinuousClock.now
            while !standbys.allSatisfy({ $0.status.isJudged(after: .now - start) }), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(50))
            }
            group.cancelAll()
        }
    }

    private func followPrimary() async {
        while !Task.isCancelled {
            let now = ContinuousClock.now
            let row = try? await primary.query(
                "select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as written"
            ).onlyRow()
            if let written: Int64 = try? row?.decode("written") {
                history.withLockedValue { $0.append(written, at: now) }
            }
            try? await Task.sleep(for: interval)
        }
    }

    private func watch(_ standby: Standby) async {
        var connection: PostgresConnection?
        while !Task.isCancelled {
            let before = standby.fault
            var reason: String?
            do throws(PostgresError) {
                let open: PostgresConnection
                if let connection { open = connection } else { open = try await standby.connect() }
                connection = open
                try await look(at: standby, open)
            } catch {
                await connection?.close()
                connection = nil
                guard !Task.isCancelled else { return }
                reason = error.reason
                standby.note(.unreachable)
            }
            if standby.fault != before { report(standby, reason) }
            try? await Task.sleep(for: interval)
        }
        await connection?.close()
    }

    private func look(at standby: Standby, _ connection: PostgresConnection) async throws(PostgresError) {
        let requirements = standby.requirements
        let report = try await StandbyReport.read(
            connection, ofSystem: requirements.systemIdentifier, within: Standby.deadline)
        let lag = history.withLockedValue { $0.lag(of: report.replayed, at: .now) }
        standby.note(
            requirements.fault(of: report, lag: lag), lag: lag, positions: report.log?.positions ?? [:])
    }

    private func report(_ standby: Standby, _ reason: String?) {
        var metadata: Logger.Metadata = ["standby": "\(standby.name)"]
        guard let fault = standby.fault else { return logger.info("a standby is read from", metadata: metadata) }
        metadata["fault"] = "\(fault.rawValue)"
        metadata["reason"] = reason.map { "\($0)" }
        logger.warning("a standby is not read from", metadata: metadata)
    }
}

extension Standby {
    fileprivate func connect() async throws(PostgresError) -> PostgresConnection {
        try await PostgresConnection.connect(database, logger: logger)
    }
}
