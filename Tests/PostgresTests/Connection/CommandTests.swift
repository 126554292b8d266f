import Foundation
import Logging
import TestRandom
import TestSupport
import Testing

@testable import Postgres

/// The outcomes of statements on one connection, errors and cancellations included.
@Suite(.hangs) struct CommandTests {
    @Test func `a commit that fails is a failure`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE flocks (id int PRIMARY KEY)")
            try await connection.query(
                """
                CREATE TEMP TABLE geese (flock int CONSTRAINT has_flock REFERENCES flocks DEFERRABLE INITIALLY DEFERRED)
                """)
            await #expect {
                try await connection.query("INSERT INTO geese VALUES (\(1)) RETURNING flock")
            } throws: { error in
                let error = error as? PostgresError
                return error?.sqlState == .foreignKeyViolation && error?.constraint == "has_flock"
            }
            // The conversation is in step afterwards, also for a neighbour in the same pipeline.
            async let bad = Result { try await connection.query("INSERT INTO geese VALUES (2)") }
            async let good = connection.query("SELECT count(*) AS n FROM geese")
            #expect(await bad.isFailure)
            #expect(try await good.first?.decode("n", as: Int.self) == 0)
        }
    }

    @Test func `server errors carry their fields`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (id int CONSTRAINT positive CHECK (id > 0) NOT NULL)")
            let error = try #require(await failure { try await connection.query("INSERT INTO t VALUES (\(-1))") })
            #expect(error.kind == .server)
            #expect(error.sqlState == .checkViolation)
            #expect(error.constraint == "positive")
            #expect(error.table == "t")
            #expect(error.query == "INSERT INTO t VALUES ($1)")
            #expect(error.caller?.file == "PostgresTests/CommandTests.swift")
            #expect(error.detail?.contains("-1") == true)
            #expect(!String(reflecting: error).contains("-1"))
            let syntax = try #require(await failure { try await connection.query("SELECT 1 +") })
            #expect(syntax.sqlState == .syntaxError)
            #expect(syntax.position == 11)
        }
    }

    @Test func `counts and tags`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (id int)")
            let inserted = try await connection.query(
                "INSERT INTO t SELECT generate_series(1, 5) RETURNING id AS number")
            #expect(inserted.affectedCount == 5)
            #expect(inserted.count == 5)
            #expect(inserted.columns == ["number"])
            #expect(inserted.commandTag == "INSERT 0 5")
            #expect(try inserted.rows.map { try $0.decode(0, as: Int.self) } == [1, 2, 3, 4, 5])
            #expect(try await connection.query("").count == 0)
            #expect(try await connection.query("DELETE FROM t WHERE id > \(3)").affectedCount == 2)
        }
    }

    @Test func `large values go both ways`() async throws {
        try await withConnection { connection in
            let bytes = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await connection.query("SELECT \(bytes) AS b").first?.decode("b") == bytes }
                }
                for try await same in group { #expect(same) }
            }
        }
    }

    @Test func `a killed backend fails its statements and nothing hangs`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                async let sleeping = failure { try await connection.query("SELECT pg_sleep(60)") }
                try await waitUntil(other, isSleeping(connection.backendPID))
                async let behind = failure { try await connection.query("SELECT 1") }
                try await wait(while: connection.load < 2)
                try await other.query("SELECT pg_terminate_backend(\(connection.backendPID))")
                let error = await sleeping
                #expect(error?.kind == .connectionLost)
                #expect(error?.sqlState == .adminShutdown)
                #expect(error?.isConnectionLoss == true)
                #expect(error?.wasSent == true)
                #expect(await behind?.kind == .connectionLost)
                await connection.waitUntilClosed()
                #expect(connection.isClosed)
                #expect(connection.load == 0)
                let late = await failure { try await connection.query("SELECT 1") }
                #expect(late?.kind == .connectionLost)
                #expect(late?.wasSent == false)
            }
        }
    }

    @Test func `an idle connection notices its end`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                try await other.query("SELECT pg_terminate_backend(\(connection.backendPID))")
                await connection.waitUntilClosed()
                #expect(connection.isClosed)
            }
        }
    }

    @Test func `closing fails what is under way`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                async let sleeping = failure { try await connection.query("SELECT pg_sleep(60)") }
                try await waitUntil(other, isSleeping(connection.backendPID))
                await connection.close()
                #expect(await sleeping?.kind == .closed)
                #expect(await failure { try await connection.query("SELECT 1") }?.kind == .closed)
                await connection.close()
            }
        }
    }

    @Test func `a cancelled task loses its result and nothing else`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                try await other.query("SELECT pg_advisory_lock(0, \(connection.backendPID))")
                let waiter = Task {
                    await failure { try await connection.query("SELECT pg_advisory_lock(0, pg_backend_pid())") }
                }
                async let neighbour = connection.query("SELECT 7 AS n")
                try await waitUntil(other, isWaitingForLock(connection.backendPID))
                waiter.cancel()
                let error = await waiter.value
                #expect(error?.kind == .cancelled)
                #expect(error?.wasSent == true)
                try await other.query("SELECT pg_advisory_unlock(0, \(connection.backendPID))")
                #expect(try await neighbour.first?.decode("n", as: Int.self) == 7)
            }
        }
    }

    @Test(arguments: 0..<3 as Range<UInt64>) func `many cancellations hurt nobody`(seed: UInt64) async throws {
        try await withConnection { connection in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                var generator = RandomSource(seed: seed)
                for number in 0..<2000 {
                    let isVictim = Bool.random(using: &generator)
                    group.addTask {
                        let task = Task {
                            try await connection.query("SELECT \(number) AS n").first?.decode("n", as: Int.self)
                        }
                        if isVictim { task.cancel() }
                        let result = await task.result
                        guard case .failure(let error) = result else { return (try? result.get()) == number }
                        return isVictim && (error as? PostgresError)?.kind == .cancelled
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.allSatisfy { $0 })
            #expect(await connection.waitUntilIdle(atMost: Hang.deadline))
            #expect(connection.load == 0)
        }
    }

    @Test func `a cancelled task sends nothing`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (id int)")
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await failure { try await connection.query("INSERT INTO t VALUES (1)") }
            }
            let error = await task.value
            #expect(error?.kind == .cancelled)
            #expect(error?.wasSent == false)
            #expect(try await connection.query("SELECT count(*) AS n FROM t").first?.decode("n", as: Int.self) == 0)
        }
    }

    @Test func `a statement that waits too long is not sent`() async throws {
        try await withConnection { other in
            try await withConnection {
                $0.maximumWait = .milliseconds(50)
            } _: { connection in
                try await other.query("SELECT pg_advisory_lock(0, \(connection.backendPID))")
                async let script: Void = connection.executeScript("SELECT pg_advisory_lock(0, pg_backend_pid())")
                try await waitUntil(other, isWaitingForLock(connection.backendPID))
                let error = await failure { try await connection.query("SELECT 1") }
                #expect(error?.kind == .poolTimeout)
                #expect(error?.wasSent == false)
                try await other.query("SELECT pg_advisory_unlock(0, \(connection.backendPID))")
                try await script
                try await expectAnswer(from: connection)
            }
        }
    }

    @Test func `what cannot run in a transaction runs`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE DATABASE outside_transactions")
            try await connection.query("DROP DATABASE outside_transactions")
            async let vacuum = connection.query("VACUUM pg_am")
            async let neighbour = connection.query("SELECT 1")
            _ = try await (vacuum, neighbour)
        }
    }

    @Test func `copy inside a query ends the connection instead of hanging`() async throws {
        for sql: SQL in ["COPY (SELECT 1) TO STDOUT", "COPY pg_temp.t FROM STDIN"] {
            try await withConnection { connection in
                try await connection.query("CREATE TEMP TABLE t (id int)")
                let error = await failure { try await connection.query(sql) }
                #expect(error?.kind == .protocolViolation)
                #expect(connection.isClosed)
            }
        }
    }

    @Test func `values that cannot be sent do not reach the server`() async throws {
        try await withConnection { connection in
            #expect(await failure { try await connection.query("SELECT \("a\0b")") }?.kind == .encoding)
            #expect(
                await failure { try await connection.query("SELECT \(Date.distantFuture.addingTimeInterval(1e15))") }?
                    .kind == .encoding)
        }
    }
}

/// The error of what is expected to fail; nil when it does not.
func failure<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
) async -> PostgresError? {
    do {
        _ = try await body()
        return nil
    } catch {
        if !(error is PostgresError) { Issue.record(error) }
        return error as? PostgresError
    }
}

extension Result where Success: Sendable, Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
