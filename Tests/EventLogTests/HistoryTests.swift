import EventLog
import FoundationEssentials
import NIOConcurrencyHelpers
import Postgres
import TestSupport
import Testing

struct HistoryTests {
    @Test func `make a history without a fault, while backends are killed`() async throws {
        try await LogFixture.run { log in
            let recorder = NIOLockedValueBox(History())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in ["one", "two"] {
                    group.addTask { try await read(log, as: name, until: 400, into: recorder) }
                }
                try await log.withRival { rival in
                    await withTaskGroup(of: Void.self) { writers in
                        for number in 0..<20 {
                            let appender = number.isMultiple(of: 2) ? log.appender : rival
                            writers.addTask { await write(20, appender, into: recorder) }
                        }
                        writers.addTask { await kill(log, times: 5) }
                    }
                }
                try await group.waitForAll()
            }
            var checker = HistoryChecker(
                log: try await log.reader.page(after: 0, limit: 100_000),
                content: try await LoggedContent.all(log.pool), history: recorder.withLockedValue { $0 })
            #expect(checker.check() == [])
        }
    }

    /// Appends to streams of its own, in turn beginning one and changing it; retries until answered.
    private func write(_ count: Int, _ appender: Appender, into recorder: NIOLockedValueBox<History>) async {
        var command = AppendCommand.sample()
        for number in 0..<count {
            let sent = ContinuousClock.now
            let answer = await send(command, appender)
            recorder.withLockedValue { $0.sent(History.Command(command), at: sent, answered: .now, answer) }
            command =
                number.isMultiple(of: 2)
                ? .sample(stream: command.stream, expected: 1, payloads: ["{}", "{}"]) : .sample()
        }
    }

    private func send(_ command: AppendCommand, _ appender: Appender) async -> History.Sending.Answer {
        do throws(AppendError) {
            let receipt = try await appender.append(command)
            return .acknowledged(position: receipt.position, version: receipt.version)
        } catch {
            return History.Sending.Answer(error)
        }
    }

    private func read(
        _ log: LogFixture, as name: String, until count: Int, into recorder: NIOLockedValueBox<History>
    ) async throws {
        var reading = History.Reading(reader: name, start: 0)
        for try await event in LogFeed(
            log.reader, after: 0, head: log.head, pageSize: 7, pollInterval: .milliseconds(20))
        {
            reading.seen.append(
                History.Reading.Seen(position: event.position, stream: event.stream, version: event.version))
            if reading.seen.count == count { break }
        }
        let result = reading
        recorder.withLockedValue { $0.readings.append(result) }
    }

    /// Ends appenders' backends in the middle of their work.
    private func kill(_ log: LogFixture, times: Int) async {
        for _ in 0..<times {
            await log.head.wait(beyond: log.head.position + 20, atMost: .seconds(1))
            _ = try? await log.owner.query(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and query like '%log.append%' and pid <> pg_backend_pid()
                """)
        }
    }
}
