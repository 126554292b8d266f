package import FoundationEssentials
package import Logging
package import Postgres

/// The clocks of the database and of this process, and the rule for them: `log.clock_fault`.
///
/// Times in the log never go back, so one event at a wrong time would spoil every later one.
package struct LogClock: Sendable, Hashable {
    /// The clock of this process when it sent the query.
    package let process: Date
    /// The database's clock.
    package let database: Date
    /// The last time accepted: that of the last event, or the mark of running processes.
    package let accepted: Date
    /// The reason why the database's clock is rejected; nil while appends are accepted.
    package let fault: String?

    /// - Throws: `PostgresError`.
    package static func read(
        _ database: some PostgresQuerying, now: Date = Date()
    ) async throws(PostgresError) -> LogClock {
        try LogClock(try await database.query("select * from log.clock_state(\(now))"), process: now)
    }

    /// Leaves the mark of a running process, unless the clock is rejected.
    /// - Returns: the clocks before.
    /// - Throws: `PostgresError`.
    package static func mark(
        _ database: some PostgresQuerying, now: Date = Date()
    ) async throws(PostgresError) -> LogClock {
        try LogClock(try await database.query("select * from log.mark_clock(\(now))"), process: now)
    }

    /// Accepts the database's clock, however far ahead of the last time accepted it is. Needs the owner's connection.
    /// - Throws: `PostgresError`.
    package static func accept(_ owner: some PostgresQuerying) async throws(PostgresError) {
        try await owner.query("update log.clock_mark set at = log.clock()")
    }

    private init(_ result: PostgresResult, process: Date) throws(PostgresError) {
        let row = try result.onlyRow()
        self.process = process
        database = try row.decode("clock")
        accepted = try row.decode("accepted")
        fault = try row.decode("fault")
    }
}

/// Leaves a mark every minute while this process runs, so that a long time without events does not look like a jump of
/// the clock.
package struct ClockKeeper: Sendable {
    /// A longer time without a mark is worth a warning: the machines were paused or off, or a clock was set.
    package static let pause: TimeInterval = 600

    private let database: any PostgresQuerying
    private let logger: Logger

    package init(_ database: any PostgresQuerying, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Leaves marks until the task is cancelled.
    package func run() async {
        await repeating(every: .seconds(60), else: "clock not marked", at: .debug, to: logger) {
            report(try await LogClock.mark(database))
        }
    }

    private func report(_ clock: LogClock) {
        if let fault = clock.fault {
            logger.error("the clock is rejected, and so are appends", metadata: ["fault": "\(fault)"])
        } else if clock.database.timeIntervalSince(clock.accepted) > Self.pause {
            logger.warning(
                "nothing was recorded for a while: a pause, or a clock that was set",
                metadata: ["since": "\(clock.accepted.ISO8601Format())"])
        }
    }
}
