import EventLog
import Logging
import Postgres
import TestSupport
import Testing

struct EpochTests {
    @Test func `rejects appends of who believes in an older one`() async throws {
        try await LogFixture.run { log in
            try await log.fill(1)
            #expect(try await LogEpoch.begin(log.owner) == 2)
            let error = await #expect(throws: AppendError.self) { try await log.appender.append(.sample()) }
            guard case .epochChanged? = error else { throw try #require(error) }
            try await log.withRival { _ = try await $0.append(.sample()) }
            #expect(try await log.reader.origin().epoch == 2)
        }
    }

    @Test func `stays on the same cluster, changes on another`() async throws {
        try await LogFixture.run { log in
            #expect(try await LogEpoch.beginIfMoved(log.owner) == nil)
            _ = try await log.owner.query("update log.head set timeline = timeline + 1")
            #expect(try await LogEpoch.beginIfMoved(log.owner) == 2)
            #expect(try await LogEpoch.beginIfMoved(log.owner) == nil)
        }
    }

    @Test func `of any number of processes that find it moved, one begins a new one`() async throws {
        try await LogFixture.run { log in
            _ = try await log.owner.query("update log.head set system_identifier = 1")
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let begun = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let owner = try await PostgresConnection.connect(log.database.owner, logger: logger)
                        let epoch = try await LogEpoch.beginIfMoved(owner)
                        await owner.close()
                        return epoch
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(begun.compactMap { $0 } == [2])
        }
    }

    @Test(arguments: [
        "update log.head set epoch = epoch + 1", "update log.head set timeline = timeline + 1",
        "update log.head set system_identifier = 1",
    ])
    func `no connection is made to a log that has moved`(move: String) async throws {
        try await LogFixture.run { log in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let epoch = EpochGuard(logger: logger)
            let service = epoch.guarding(log.database.service)
            let early = try await PostgresConnection.connect(service, logger: logger)
            #expect(epoch.departure == nil)
            async let watch: Void = epoch.run(early)
            try await log.owner.executeScript(move)
            let error = await #expect(throws: PostgresError.self) {
                try await PostgresConnection.connect(service, logger: logger)
            }
            #expect(error?.isConnectionLoss == true && error?.wasSent == false)
            try #require(epoch.departure != nil)
            await watch
            await early.close()
        }
    }

    @Test(.hangs) func `a process that does not end by itself is ended`() async throws {
        try await LogFixture.run { log in
            let epoch = EpochGuard(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let ends = AsyncStream.makeStream(of: Void.self)
            try await epoch.check(log.owner)
            _ = try await log.owner.query("update log.head set timeline = timeline + 1")
            await epoch.run(log.owner, grace: .milliseconds(10)) { ends.continuation.yield() }
            _ = await ends.stream.first { _ in true }
        }
    }

    @Test(.hangs)
    func `the watch ends with any connection's check, though its own waits`() async throws {
        try await LogFixture.run { log in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let epoch = EpochGuard(logger: logger)
            try await epoch.check(log.owner)
            async let watch: Void = epoch.run(UnansweringDatabase())
            _ = try await log.owner.query("update log.head set timeline = timeline + 1")
            await #expect(throws: PostgresError.self) { try await epoch.check(log.owner) }
            await watch
        }
    }

    @Test func `an appender sends nothing to a log that has moved`() async throws {
        try await LogFixture.run { log in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let epoch = EpochGuard(logger: logger)
            var limits = AppendLimits()
            // This limit holds for the first append, too.
            limits.timeout = .seconds(4)
            let appender = Appender(
                configuration: epoch.guarding(log.database.service), limits: limits, head: HeadSignal(), logger: logger)
            try await appender.whileRunning {
                _ = try await appender.append(.sample())
                // As after a failover: the head row is the old one's, and the connection is gone.
                _ = try await log.owner.query("update log.head set timeline = timeline + 1")
                _ = try await log.owner.query(
                    """
                    select pg_terminate_backend(pid) from pg_stat_activity
                     where query like '%log.append%' and datname = current_database() and pid <> pg_backend_pid()
                    """)
                await #expect(throws: AppendError.self) { try await appender.append(.sample()) }
            }
            #expect(epoch.departure != nil)
            #expect(try await log.reader.origin().position == 1)
        }
    }
}

/// Answers nothing until the task is cancelled.
private struct UnansweringDatabase: PostgresQuerying {
    func query(
        _ sql: SQL, within limit: Duration?, from caller: CallSite
    ) async throws(PostgresError) -> PostgresResult {
        try? await Task.sleep(for: .seconds(3_600))
        throw PostgresError(.cancelled, "the task was cancelled", wasSent: false)
    }
}
