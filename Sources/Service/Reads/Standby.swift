import EventLog
package import Logging
import NIOConcurrencyHelpers
package import Postgres

/// One streaming standby: its connections, and the results of the last check.
package final class Standby: Sendable {
    /// `host:port`, for logs and metrics.
    package let name: String
    let requirements: StandbyRequirements
    /// The configuration for checks, which have a connection of their own, so that nothing delays them.
    let database: PostgresConfiguration
    let state: NIOLockedValueBox<StandbyState>
    let pool: PostgresPool
    /// Notified of every fault.
    let lost = Signal()
    /// The shortest time after which the server cancels a statement of a read.
    let statementLimit: Duration
    /// Logs that a standby is unreachable once, not at each attempt to connect.
    let logger: Logger

    /// - Parameter database: a connection string with one host.
    package init(
        _ database: PostgresConfiguration, limits: DatabaseLimits, requirements: StandbyRequirements, logger: Logger
    ) {
        var database = database
        database.connectTimeout = min(database.connectTimeout, Self.deadline)
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .error)
        let state = NIOLockedValueBox(StandbyState())
        name = database.host + ":" + database.port
        (self.database, self.requirements, self.state, self.logger) = (database, requirements, state, quiet)
        database.check = { (connection) throws(PostgresError) in
            try await Self.admit(connection, requirements, state)
        }
        let reads = PostgresPoolConfiguration.reads(limits)
        let shared = reads.sharedStatementTimeout
        statementLimit = min(shared, reads.exclusiveStatementTimeout ?? shared)
        pool = PostgresPool(database, reads, logger: quiet)
    }

    /// How long a check, and connecting, may take.
    static let deadline: Duration = .seconds(1)

    /// Checks a connection for reads before it is used. A server that was replaced by an older copy of itself lacks
    /// positions that it had before.
    private static func admit(
        _ connection: PostgresConnection, _ requirements: StandbyRequirements, _ state: NIOLockedValueBox<StandbyState>
    ) async throws(PostgresError) {
        let report = try await StandbyReport.read(
            connection, ofSystem: requirements.systemIdentifier, within: deadline)
        if let fault = requirements.fault(of: report) {
            throw PostgresError(.connectionFailed, "the standby is \(fault.rawValue)", wasSent: false)
        }
        state.withLockedValue { $0.compare(report.log?.positions ?? [:]) }
    }

    /// Why it is not read from; nil while it is.
    package var fault: StandbyFault? { state.withLockedValue { $0.fault } }

    /// The state according to the last check.
    package var status: StandbyStatus {
        state.withLockedValue { StandbyStatus(name: name, fault: $0.fault, lag: $0.lag, reads: $0.reads) }
    }

    /// Records the results of a check.
    func note(_ fault: StandbyFault?, lag: Duration? = nil, positions: [String: Int64] = [:]) {
        state.withLockedValue { state in
            if fault != nil { state.compare([:]) }
            (state.fault, state.lag, state.positions) = (fault, lag, positions)
        }
        if fault != nil { lost.notify() }
    }
}

/// A standby as `/readyz`, `/metrics` and `skein status` name it.
package struct StandbyStatus: Sendable, Hashable {
    /// `host:port`.
    package let name: String
    /// Why it is not read from; nil while it is.
    package let fault: StandbyFault?
    /// The upper bound of its lag behind the primary; nil when it is not known.
    package let lag: Duration?
    /// Reads that it has answered.
    package let reads: Int

    /// Whether a process that has watched it for some time judges it as one that has watched it for long. Before that,
    /// a lag longer than the watch is not known.
    func isJudged(after watch: Duration) -> Bool {
        switch fault {
        case .unreachable: watch >= Standby.deadline * 2
        case .behind: lag != nil || watch > StandbyRequirements.toleratedLag
        default: true
        }
    }

    /// In words.
    package var detail: String {
        let lag = lag.map { "at most \(Int(($0 / .seconds(1)).rounded(.up))) s" }
        return [fault?.rawValue, lag.map { "lag \($0)" }].compactMap { $0 }.joined(separator: ", ")
    }
}

/// The known state of a standby.
struct StandbyState {
    var fault: StandbyFault? = .unreachable
    var lag: Duration?
    /// The positions that the read models have at least, by schema.
    var positions: [String: Int64] = [:]
    /// Changes when a position that was known turns out to be gone: no read that began before may be answered.
    var generation = 0
    var reads = 0

    /// Compares the known positions with those that a new connection finds.
    mutating func compare(_ found: [String: Int64]) {
        guard positions.contains(where: { $0.value > found[$0.key] ?? 0 }) else { return }
        positions = found
        generation += 1
    }
}

extension PostgresPoolConfiguration {
    /// The pool for reads on a standby: like that of the primary, which answers if this one does not in time.
    static func reads(_ limits: DatabaseLimits) -> PostgresPoolConfiguration {
        var configuration = requests(limits)
        // Sequences are read from the primary.
        configuration.exclusiveConnections = limits.maps
        configuration.maximumWait = min(configuration.maximumWait, .seconds(1))
        configuration.cancelGrace = .milliseconds(500)
        return configuration
    }
}
