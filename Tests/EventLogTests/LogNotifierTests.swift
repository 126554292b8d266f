import Logging
import NIOConcurrencyHelpers
import Postgres
import TestSupport
import Testing

@testable import EventLog

@Suite(.hangs)
struct LogNotifierTests {
    @Test func `announcements of the process itself cause no read`() async throws {
        try await LogFixture.run { log in
            let reads = NIOLockedValueBox(0)
            // The session below reports its statements: those that read the head count.
            let logger = Logger(label: "reads") { _ in
                LogListener(.debug) { event in
                    let statement = event.metadata?["message"].map { "\($0)" } ?? ""
                    if statement.contains("log.head") { reads.withLockedValue { $0 += 1 } }
                }
            }
            let session = log.database.owner.with(options: [
                "log_statement": "all", "client_min_messages": "log", "log_min_messages": "fatal",
            ])
            let pool = PostgresPool(session, logger: logger)
            let head = HeadSignal()
            head.announce(5)
            let notifier = LogNotifier(
                configuration: log.database.service, pool: pool, appended: HeadSignal(), head: head, logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.run() }
                group.addTask { await notifier.run() }
                try await until { try await isListening(log) }
                for _ in 0..<20 { try await announce(5, log) }
                #expect(reads.withLockedValue { $0 } == 0)
                try await announce(6, log)
                try await until { reads.withLockedValue { $0 } > 0 }
                // Notifications come in order: those before had come.
                #expect(reads.withLockedValue { $0 } == 1)
                group.cancelAll()
            }
        }
    }

    private func announce(_ position: Int64, _ log: LogFixture) async throws {
        _ = try await log.owner.query("select pg_notify('skein_log', \(String(position)))")
    }

    private func isListening(_ log: LogFixture) async throws -> Bool {
        try await log.owner.query(
            """
            select from pg_stat_activity
             where datname = current_database() and query ilike 'listen%' and state = 'idle'
            """
        ).count > 0
    }
}
