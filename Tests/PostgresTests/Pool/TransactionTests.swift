import Logging
import TestSupport
import Testing

@testable import Postgres

@Suite(.hangs) struct TransactionTests {
    private struct ChangedMyMind: Error {}

    /// A pool with one exclusive connection, so that temporary tables stay in sight.
    private func withPool<Value: Sendable>(_ body: @Sendable (PostgresPool) async throws -> Value) async throws -> Value
    {
        var configuration = PostgresPoolConfiguration.patient
        configuration.exclusiveConnections = 1
        return try await PostgresPool.withPool(
            try await TestServer.shared.configuration, configuration, logger: .quiet
        ) { pool in
            try await pool.withExclusive { connection in
                try await connection.executeScript(
                    """
                    CREATE TEMP TABLE t (id int PRIMARY KEY);
                    CREATE TEMP TABLE u (id int REFERENCES t DEFERRABLE INITIALLY DEFERRED)
                    """
                )
            }
            return try await body(pool)
        }
    }

    private func count(_ pool: PostgresPool) async throws -> Int? {
        try await pool.withExclusive { try await $0.query("SELECT count(*) AS n FROM t").first?.decode("n") }
    }

    private func failure(_ body: () async throws -> Void) async -> PostgresTransactionError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PostgresTransactionError
        }
    }

    @Test func `what returns is committed`() async throws {
        try await withPool { pool in
            let value = try await pool.transaction { connection in
                try await connection.query("INSERT INTO t VALUES (1)")
                return "done"
            }
            #expect(value == "done")
            #expect(try await count(pool) == 1)
        }
    }

    @Test func `what throws is rolled back`() async throws {
        try await withPool { pool in
            let error = await failure {
                try await pool.transaction { connection in
                    try await connection.query("INSERT INTO t VALUES (1)")
                    throw ChangedMyMind()
                }
            }
            guard case .body(is ChangedMyMind, rollback: nil) = error else { throw try #require(error) }
            #expect(try await count(pool) == 0)
        }
    }

    @Test func `a commit that is rejected is a commit failure`() async throws {
        try await withPool { pool in
            let error = await failure {
                try await pool.transaction { _ = try await $0.query("INSERT INTO u VALUES (9)") }
            }
            guard case .commit(let cause) = error else { throw try #require(error) }
            #expect(cause.sqlState == .foreignKeyViolation)
        }
    }

    @Test func `a swallowed error does not turn into a silent rollback`() async throws {
        try await withPool { pool in
            let error = await failure {
                try await pool.transaction { connection in
                    try await connection.query("INSERT INTO t VALUES (1)")
                    _ = try? await connection.query("SELECT 1 / 0")
                }
            }
            guard case .commit(let cause) = error else { throw try #require(error) }
            #expect(cause.kind == .server)
            #expect(try await count(pool) == 0)
        }
    }

    @Test func `a lost connection in the body is a body failure`() async throws {
        try await withConnection { other in
            try await withPool { pool in
                let error = await failure {
                    try await pool.transaction { connection in
                        try await other.query("SELECT pg_terminate_backend(\(connection.backendPID))")
                        try await connection.query("SELECT 1")
                    }
                }
                guard case .body(let cause as PostgresError, rollback: nil) = error else { throw try #require(error) }
                #expect(cause.isConnectionLoss)
            }
        }
    }

    @Test func `a transaction that cannot begin says so`() async throws {
        var configuration = PostgresPoolConfiguration()
        configuration.maximumWait = .milliseconds(100)
        let nowhere = try PostgresConfiguration("host=/tmp/no-such-directory user=nobody")
        try await PostgresPool.withPool(nowhere, configuration, logger: .quiet) { pool in
            let error = await failure { try await pool.transaction { _ in } }
            guard case .begin(let cause) = error else { throw try #require(error) }
            #expect(cause.kind == .connectionFailed)
            #expect(cause.caller?.file == "PostgresTests/TransactionTests.swift")
        }
    }

    @Test func `a cancelled transaction is rolled back and its connection kept`() async throws {
        try await withConnection { other in
            try await withPool { pool in
                try await wait(while: pool.control.connections.isEmpty)
                let pid = try await pool.withExclusive { $0.backendPID }
                let task = Task {
                    await failure {
                        try await pool.transaction { connection in
                            try await connection.query("INSERT INTO t VALUES (1)")
                            try await connection.query("SELECT pg_sleep(60)")
                        }
                    }
                }
                try await waitUntil(other, isSleeping(pid))
                task.cancel()
                let error = await task.value
                guard case .body(let cause as PostgresError, rollback: nil) = error else { throw try #require(error) }
                #expect(cause.kind == .cancelled)
                #expect(try await count(pool) == 0)
            }
        }
    }
}
