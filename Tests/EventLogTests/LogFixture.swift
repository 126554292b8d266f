import EventLog
import FoundationEssentials
import Logging
import Postgres
import TestSupport

/// A log in a throw-away database, with an appender at work and connections for both roles.
struct LogFixture: Sendable {
    let database: TestDatabase
    let appender: Appender
    let pool: PostgresPool
    let owner: PostgresConnection
    let head: HeadSignal
    let reader: LogReader

    /// Runs a test on a fresh log. Unless a test gives others, only a hang reaches the time limits.
    static func run<Result: Sendable>(
        limits: AppendLimits = unhurried, _ body: @Sendable (LogFixture) async throws -> Result
    ) async throws -> Result {
        try await withTestDatabase { database in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let head = HeadSignal()
            let appender = Appender(
                configuration: database.service, limits: limits, head: head, logger: logger)
            let pool = PostgresPool(database.service, pools, logger: logger)
            let owner = try await PostgresConnection.connect(database.owner, logger: logger)
            let fixture = LogFixture(
                database: database, appender: appender, pool: pool, owner: owner, head: head,
                reader: LogReader(pool))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await appender.run() }
                group.addTask { await pool.run() }
                defer {
                    // Without it a test that fails would wait for the appender for ever.
                    appender.close()
                    group.cancelAll()
                }
                let result = try await body(fixture)
                await owner.close()
                await pool.shutdown()
                return result
            }
        }
    }

    static let unhurried = AppendLimits { $0.timeout = Hang.deadline }

    /// A small pool, whose time limits only a hang reaches.
    static let pools: PostgresPoolConfiguration = {
        var pools = PostgresPoolConfiguration().unhurried
        (pools.sharedConnections, pools.exclusiveConnections) = (1, 2)
        return pools
    }()

    /// Another appender on the same log, as another process would have, for as long as `body` runs.
    func withRival<Result: Sendable>(
        now: @escaping @Sendable () -> Date = { Date() }, _ body: @Sendable (Appender) async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "rival") { _ in SwiftLogNoOpLogHandler() }
        let rival = Appender(
            configuration: database.service, limits: Self.unhurried, head: HeadSignal(), logger: logger,
            now: now)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await rival.run() }
            defer {
                rival.close()
                group.cancelAll()
            }
            return try await body(rival)
        }
    }

    /// Sets the database's clock, as an offset from the real time.
    func set(clock offset: TimeInterval) async throws {
        try await owner.executeScript(
            """
            create or replace function log.clock() returns timestamptz language sql volatile as
            'select clock_timestamp() + interval ''\(offset) seconds''';
            """)
    }

    /// Stops the database's clock.
    func stop(clock date: Date) async throws {
        try await owner.executeScript(
            """
            create or replace function log.clock() returns timestamptz language sql volatile as
            'select to_timestamp(\(date.timeIntervalSince1970))';
            """)
    }

    /// Appends single-event commands to streams of their own, one after the other.
    @discardableResult
    func fill(_ count: Int) async throws -> [AppendReceipt] {
        var receipts: [AppendReceipt] = []
        for _ in 0..<count { receipts.append(try await appender.append(.sample())) }
        return receipts
    }

    /// Appends so many single-event commands at once.
    func flood(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { _ = try await appender.append(.sample()) }
            }
            try await group.waitForAll()
        }
    }
}

extension AppendCommand {
    /// A command with valid events of no particular meaning.
    static func sample(
        stream: UUID = UUID(), expected: Int = 0, id: UUID = UUID(), fingerprint: UInt8 = 7,
        payloads: [String] = [#"{"confidence": 8}"#], content: [Content] = [], reservations: [Reservation] = []
    ) -> AppendCommand {
        var events = payloads.map { Event(type: "SightingSubmitted", payload: $0) }
        events[0].content = content
        return AppendCommand(
            stream: stream, kind: "sighting", expectedVersion: expected, id: id,
            fingerprint: Array(repeating: fingerprint, count: 16), actor: nil, events: events,
            reservations: reservations)
    }
}
