import EventLog
import FoundationEssentials
import Logging
import Postgres
import TestSupport
import Testing

/// One answer to each sending of a command, whether the first is queued, in flight or done.
struct IdempotencyTests {
    @Test func `another request under a used id is told so only when the first is in the log`() async throws {
        try await LogFixture.run { log in
            let first = AppendCommand.sample()
            let other = AppendCommand.sample(stream: first.stream, id: first.id, fingerprint: 9)
            let outcomes = try await log.whileInFlight(first) { try await log.appender.append(other) }
            #expect(try outcomes.first.get().position == 1)
            if case .failure(AppendError.differentRequest) = outcomes.second {
            } else {
                Issue.record("\(outcomes.second)")
            }
            #expect(try await log.reader.origin().position == 1)
        }
    }

    @Test func `another request under the id of one that is rejected is judged by itself`() async throws {
        try await LogFixture.run { log in
            let first = AppendCommand.sample(expected: 5)
            let other = AppendCommand.sample(stream: first.stream, id: first.id, fingerprint: 9)
            let outcomes = try await log.whileInFlight(first) { try await log.appender.append(other) }
            if case .failure(AppendError.conflict) = outcomes.first {
            } else {
                Issue.record("\(outcomes.first)")
            }
            #expect(try outcomes.second.get().position == 1)
        }
    }

    @Test func `a sending that joins the first one is a repeat, like one that comes later`() async throws {
        try await LogFixture.run { log in
            let command = AppendCommand.sample()
            let outcomes = try await log.whileInFlight(command) { try await log.appender.append(command) }
            #expect(try !outcomes.first.get().isRepeat && outcomes.second.get().isRepeat)
            #expect(try await log.appender.append(command).isRepeat)
        }
    }

    @Test func `a command in flight can be waited for, and one that is not is not`() async throws {
        try await LogFixture.run { log in
            let command = AppendCommand.sample()
            let outcomes = try await log.whileInFlight(command) {
                await log.appender.settle(command.id)
                return log.appender.depth
            }
            #expect(try outcomes.second.get() == 0)
            await log.appender.settle(command.id)
        }
    }

    @Test func `a stream may reserve again what it holds`() async throws {
        try await LogFixture.run { log in
            let stream = UUID()
            let email = AppendCommand.Reservation(kind: "email", digest: Array(repeating: 1, count: 32))
            _ = try await log.appender.append(.sample(stream: stream, reservations: [email]))
            let again = try await log.appender.append(.sample(stream: stream, expected: 1, reservations: [email]))
            #expect(again.version == 2)
            await #expect(throws: AppendError.self) { try await log.appender.append(.sample(reservations: [email])) }
            #expect(try await log.pool.query("select from vault.reservations").count == 1)
        }
    }
}

extension LogFixture {
    /// Sends a command, and something else while the command waits in the database for the head's lock.
    /// - Returns: the outcomes of both.
    fileprivate func whileInFlight<Value: Sendable>(
        _ command: AppendCommand, _ other: @escaping @Sendable () async throws -> Value
    ) async throws -> (first: Result<AppendReceipt, any Error>, second: Result<Value, any Error>) {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let holder = try await PostgresConnection.connect(database.owner, logger: logger)
        _ = try await holder.query("begin")
        _ = try await holder.query("select from log.head for update")
        let first = Task { try await appender.append(command) }
        try await until {
            try await owner.query(
                "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            ).count > 0
        }
        let second = Task { try await other() }
        // It shows nowhere that it has been admitted; without the time for it, the answers are the same.
        for _ in 0..<1_000 { await Task.yield() }
        await holder.close()
        return (await first.result, await second.result)
    }
}
