import Foundation
import TestSupport
import Testing

@testable import Postgres

/// What becomes of a statement that the server does not answer.
///
/// A short deadline that is to pass may pass late: a broken client waits until the server answers, or for ever. Where
/// none may pass, a server that pauses for two seconds does no harm.
@Suite(.hangs) struct DeadlineTests {
    @Test func `a statement without an answer fails in time, with all that is under way, and the connection is closed`()
        async throws
    {
        try await withConnection {
            $0.statementDeadline = .milliseconds(200)
        } _: { connection in
            async let neighbour = failure { try await connection.query("SELECT pg_sleep(50)", within: Hang.deadline) }
            try await wait(while: connection.load == 0)
            let error = await failure { try await connection.query("SELECT pg_sleep(60)") }
            #expect(error?.kind == .timeout && error?.wasSent == true)
            #expect(error?.query == "SELECT pg_sleep(60)")
            #expect(await neighbour?.kind == .timeout)
            #expect(connection.isClosed)
        }
    }

    @Test func `a statement may name a time of its own, longer or shorter`() async throws {
        try await withConnection {
            $0.statementDeadline = .milliseconds(50)
        } _: { connection in
            try await connection.query("SELECT pg_sleep(0.3)", within: .seconds(60))
            #expect(!connection.isClosed)
        }
        try await withConnection { connection in
            #expect(
                await failure { try await connection.query("SELECT pg_sleep(60)", within: .milliseconds(50)) }?.kind
                    == .timeout)
        }
    }

    @Test func `a short deadline is kept behind a long one`() async throws {
        try await withConnection { connection in
            async let long = failure { try await connection.query("SELECT pg_sleep(60)", within: Hang.deadline) }
            try await wait(while: connection.load == 0)
            let short = await failure { try await connection.query("SELECT 1", within: .milliseconds(100)) }
            #expect(short?.kind == .timeout)
            #expect(await long?.kind == .timeout)
        }
    }

    @Test func `nothing fails on a connection that answers, however many deadlines pass`() async throws {
        try await withConnection {
            $0.statementDeadline = .seconds(2.5)
        } _: { connection in
            let end = ContinuousClock.now + .seconds(2.7)
            while ContinuousClock.now < end { try await connection.query("SELECT pg_sleep(0.05)") }
            try await connection.query("SELECT pg_sleep(2.7)", within: Hang.deadline)
            try await expectAnswer(from: connection)
        }
    }

    @Test func `an answer that came while this process was held up counts`() async throws {
        try await withConnection { connection in
            try await connection.query("SELECT 1")
            connection.mailbox.deadline = .milliseconds(200)
            _ = try await connection.askAndHoldUp("SELECT 1").value
        }
    }

    @Test(arguments: FrozenWork.all) func `a frozen server process fails everything in time`(
        work: FrozenWork
    ) async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (line text)")
            connection.mailbox.deadline = .milliseconds(200)
            Freezing.freeze([connection.backendPID])
            defer { Freezing.thaw([connection.backendPID]) }
            #expect(await failure { try await work.run(connection) }?.kind == .timeout)
            #expect(connection.isClosed)
            #expect(await failure { try await connection.query("SELECT 1") }?.wasSent == false)
        }
    }

    @Test func `a copy has its time for each step, and a slow consumer has all the time`() async throws {
        try await withConnection { clock in
            try await withConnection {
                $0.statementDeadline = .seconds(2.5)
            } _: { connection in
                let chunks = try await connection.copyOut(
                    "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 200)) TO STDOUT")
                var bytes = 0
                for try await chunk in chunks {
                    if bytes == 0 { try await clock.query("SELECT pg_sleep(2.7)") }
                    bytes += chunk.count
                }
                #expect(bytes == 200 * 1_001)
                try await expectAnswer(from: connection)
            }
        }
    }

    @Test func `a copy in fails when the server takes no more`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (line text)")
            connection.mailbox.deadline = .milliseconds(300)
            let pid = connection.backendPID
            let line = String(repeating: "x", count: 60_000) + "\n"
            let error = await failure {
                try await connection.copyIn("COPY t FROM STDIN") { copy in
                    Freezing.freeze([pid])
                    while true { try await copy.write(line) }
                }
            }
            Freezing.thaw([pid])
            #expect(error?.kind == .timeout)
        }
    }

    @Test func `connect_timeout of the connection string is minded`() async throws {
        let listening = try Listening()
        let configuration = try PostgresConfiguration("host=127.0.0.1 port=\(listening.port) connect_timeout=1")
        #expect(configuration.connectTimeout == .seconds(1))
        #expect(await failure { try await PostgresConnection.connect(configuration, logger: .quiet) }?.kind == .timeout)
    }

    @Test func `both ends notice a host that has vanished`() async throws {
        try await withConnection { connection in
            let row = try await connection.query(
                """
                SELECT string_agg(name || '=' || reset_val, ' ' ORDER BY name) AS settings FROM pg_settings
                 WHERE name LIKE 'tcp_%'
                """
            ).onlyRow()
            let keepalives = "tcp_keepalives_count=3 tcp_keepalives_idle=30 tcp_keepalives_interval=10"
            #expect(try row.decode("settings") == keepalives + " tcp_user_timeout=30000")
        }
    }
}

extension PostgresConnection {
    /// Asks for something, and keeps the event loop busy until the answer is there and the time for it is over.
    fileprivate func askAndHoldUp(_ sql: SQL) -> Task<PostgresResult, any Error> {
        let asking: Task<PostgresResult, any Error> = Task.detached { try await self.query(sql) }
        while load == 0 { usleep(1_000) }
        readMailbox()
        var answer = pollfd(fd: handle.socket, events: Int16(POLLIN), revents: 0)
        while poll(&answer, 1, 1_000) < 1 {}
        while let timer, ContinuousClock.now < timer.due { usleep(1_000) }
        return asking
    }
}

/// A way of keeping a connection busy.
struct FrozenWork: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (PostgresConnection) async throws -> Void

    static let all = [
        FrozenWork(testDescription: "query") { try await $0.query("SELECT 1") },
        FrozenWork(testDescription: "script") { try await $0.executeScript("SELECT 1; SELECT 2") },
        FrozenWork(testDescription: "LISTEN") { _ = try await $0.listen("wrens") },
        FrozenWork(testDescription: "ROLLBACK") { _ = try await $0.queryUncancelled("ROLLBACK", from: .here()) },
        FrozenWork(testDescription: "COPY out") { _ = try await $0.copyOut("COPY t TO STDOUT") },
        FrozenWork(testDescription: "COPY in") { _ = try await $0.copyIn("COPY t FROM STDIN") { _ in } },
    ]
}
