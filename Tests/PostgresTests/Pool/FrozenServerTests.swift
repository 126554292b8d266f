import TestSupport
import Testing

@testable import Postgres

/// A pool whose server hangs. Its time limits leave a server that does not hang three seconds.
@Suite(.hangs) struct FrozenServerTests {
    private static let pools: PostgresPoolConfiguration = {
        var pools = PostgresPoolConfiguration()
        (pools.maximumWait, pools.cancelGrace) = (.seconds(3), .seconds(3))
        (pools.sharedStatementTimeout, pools.shutdownGrace) = (.seconds(3), .milliseconds(100))
        return pools
    }()

    private func configuration(_ server: TestServer) throws -> PostgresConfiguration {
        var configuration = try server.configuration
        (configuration.statementDeadline, configuration.connectTimeout) = (.seconds(3), .seconds(3))
        return configuration
    }

    /// How each attempt on a frozen server must end.
    private func isFailure(_ error: PostgresError?) -> Bool {
        error.map { [.timeout, .poolTimeout, .connectionLost, .connectionFailed].contains($0.kind) } ?? false
    }

    /// The error of a transaction that is to fail.
    private func transactionFailure(
        of pool: PostgresPool, _ body: @Sendable (PostgresConnection) async throws -> Void
    ) async -> PostgresTransactionError? {
        do throws(PostgresTransactionError) {
            try await pool.transaction(.readWrite, body)
            return nil
        } catch {
            return error
        }
    }

    @Test func `every statement and transaction ends in time, and the pool recovers by itself`() async throws {
        let server = try await TestServer()
        try await PostgresPool.withPool(configuration(server), Self.pools, logger: .quiet) { pool in
            try await wait(while: pool.snapshot.sharedUp < 4)
            try await pool.transaction { try await expectAnswer(from: $0) }
            let start = ContinuousClock.now
            let failures = try await server.whileFrozen {
                await withTaskGroup(of: PostgresError?.self) { group in
                    for _ in 0..<40 { group.addTask { await failure { try await pool.query("SELECT 1") } } }
                    for _ in 0..<6 {
                        group.addTask { await transactionFailure(of: pool) { try await $0.query("SELECT 1") }?.cause }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(failures.count == 46 && failures.allSatisfy(isFailure))
            // All wait at the same time: one after another they would take two minutes.
            #expect(ContinuousClock.now - start < .seconds(40))
            try await wait(while: pool.snapshot.sharedUp < 4)
            try await expectAnswer(from: pool)
            try await pool.transaction { try await expectAnswer(from: $0) }
            #expect(pool.snapshot.exclusiveTaken == 0)
        }
    }

    @Test func `a transaction whose server freezes in the middle ends in time, with its rollback`() async throws {
        let server = try await TestServer()
        try await PostgresPool.withPool(configuration(server), Self.pools, logger: .quiet) { pool in
            try await waitUntilUp(pool)
            let error = await transactionFailure(of: pool) { connection in
                try await connection.query("SELECT 1")
                Freezing.freeze([connection.backendPID])
                try await connection.query("SELECT 2")
            }
            guard case .body = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(error?.cause?.kind == .timeout)
            #expect(pool.snapshot.exclusiveTaken == 0)
            try await pool.transaction { try await expectAnswer(from: $0) }
        }
    }

    @Test func `when COMMIT is not answered the outcome is unknown`() async throws {
        let server = try await TestServer()
        try await PostgresPool.withPool(configuration(server), Self.pools, logger: .quiet) { pool in
            let error = await transactionFailure(of: pool) { connection in
                try await connection.query("SELECT 1")
                Freezing.freeze([connection.backendPID])
            }
            guard case .commit(let cause) = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(cause.kind == .timeout && cause.wasSent)
        }
    }
}

extension PostgresTransactionError {
    fileprivate var cause: PostgresError? { underlying as? PostgresError }
}
