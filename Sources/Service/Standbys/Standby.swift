package import Logging
import NIOConcurrencyHelpers
package import Postgres

/// One streaming standby: its connections, and what the last look at it showed.
package final class Standby: Sendable {
    /// `host:port`, for logs and metrics.
    package let name: String
    let requirements: StandbyRequirements
    /// For looks at it, with a connection of their own that nothing else holds up.
    let database: PostgresConfiguration
    let state: NIOLockedValueBox<StandbyState>
    let pool: PostgresPool
    /// A standby that is away is reported once, not at each attempt to connect.
    let logger: Logger

    /// - Parameter database: of one host.
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
        pool = PostgresPool(database, .reads(limits), logger: quiet)
    }

    /// How long a look, and connecting, may take.
    static let deadline: Duration = .seconds(1)

    /// Checks a connection for reads before it is used. A server that was replaced by an older copy of itself no longer
    /// has the positions that are known.
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

    /// What the last look showed.
    package var status: StandbyStatus {
        state.withLockedValue { StandbyStatus(name: name, fault: $0.fault, lag: $0.lag, reads: $0.reads) }
    }

    /// Takes over what a look showed.
    func note(_ fault: StandbyFault?, lag: Duration? = nil, positions: [String: Int64] = [:]) {
        state.withLockedValue { state in
            if fault != nil { state.compare([:]) }
            (state.fault, state.lag, state.positions) = (fault, lag, positions)
        }
    }
}

/// A standby as `/readyz`, `/metrics` and `skein status` name it.
package struct StandbyStatus: Sendable, Hashable {
    /// `host:port`.
    package let name: String
    /// Why it is not read from; nil while it is.
    package let fault: StandbyFault?
    /// How far it is behind the primary, at most; nil when that is not known.
    package let lag: Duration?
    /// Reads that it has answered.
    package let reads: Int

    /// In words.
    package var detail: String {
        let lag = lag.map { "at most \(Int(($0 / .seconds(1)).rounded(.up))) s" }
        return [fault?.rawValue, lag.map { "lag \($0)" }].compactMap { $0 }.joined(separator: ", ")
    }
}

/// What is known about a standby.
struct StandbyState {
    var fault: StandbyFault? = .unreachable
    var lag: Duration?
    /// The positions that the read models have at least, by schema.
    var positions: [String: Int64] = [:]
    /// Changes when a position that was known turns out to be gone: no read that began before may be answered.
    var generation = 0
    var reads = 0

    /// Compares what is known with what a new connection sees.
    mutating func compare(_ found: [String: Int64]) {
        guard positions.contains(where: { $0.value > found[$0.key] ?? 0 }) else { return }
        positions = found
        generation += 1
    }
}

extension PostgresPoolConfiguration {
    /// For reads on a standby: as on the primary, which is there when this does not serve in time.
    static func reads(_ limits: DatabaseLimits) -> PostgresPoolConfiguration {
        var configuration = requests(limits)
        configuration.maximumWait = min(configuration.maximumWait, .seconds(1))
        configuration.cancelGrace = .milliseconds(500)
        return configuration
    }
}
