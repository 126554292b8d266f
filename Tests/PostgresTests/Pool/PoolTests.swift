import Foundation
import Logging
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct PoolTests {
    private func withPool<Value: Sendable>(
        _ configure: (inout PostgresPoolConfiguration) -> Void = { _ in },
        _ body: @Sendable (PostgresPool) async throws -> Value
    ) async throws -> Value {
        var configuration = PostgresPoolConfiguration()
        configuration.maximumWait = .seconds(60)
        configuration.shutdownGrace = .milliseconds(100)
        configure(&configuration)
        return try await PostgresPool.withPool(
            try TestServer.shared.configuration, configuration, logger: .quiet, body)
    }

    // MARK: Shared

    @Test func tenThousandTasksOnFourConnections() async throws {
        try await withPool { pool in
            try await wait(while: pool.snapshot.sharedUp < 4 || pool.control.connections.isEmpty)
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<10_000 {
                    group.addTask {
                        let row = try await pool.query("SELECT \(number) AS n, pg_backend_pid() AS pid").first
                        return try row?.decode("n") ?? -1
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 9_999 * 10_000 / 2)
            let snapshot = pool.snapshot
            #expect(snapshot.sharedUp == 4)
            #expect(snapshot.sharedLoad == 0)
            #expect(snapshot.connectionsMade == 5)
        }
    }

    @Test func loadIsSpreadOverTheConnections() async throws {
        try await withPool { pool in
            try await expectAnswer(from: pool)
            try await wait(while: pool.snapshot.sharedUp < 4)
            // None ends before all have begun: what they wait for is held until then.
            let pids = try await pool.withExclusive { holder in
                try await holder.query("SELECT pg_advisory_lock(7)")
                return try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            let sql: SQL = "SELECT pg_backend_pid() AS pid FROM pg_advisory_xact_lock_shared(7)"
                            return try await pool.query(sql).onlyRow().decode("pid")
                        }
                    }
                    try await wait(while: pool.snapshot.sharedLoad < 4)
                    try await holder.query("SELECT pg_advisory_unlock(7)")
                    return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
                }
            }
            #expect(pids.count == 4)
        }
    }

    @Test func aLongStatementIsInterruptedByTheServer() async throws {
        try await withPool {
            $0.sharedStatementTimeout = .milliseconds(50)
        } _: { pool in
            #expect(await failure { try await pool.query("SELECT pg_sleep(60)") }?.sqlState == .queryCanceled)
            try await expectAnswer(from: pool)
        }
    }

    @Test func aCancelledTaskDoesNotHurtItsNeighboursOnASharedConnection() async throws {
        try await withPool {
            $0.sharedConnections = 1
        } _: { pool in
            let victims = (0..<50).map { number in
                Task { try await pool.query("SELECT pg_sleep(0.01), \(number) AS n") }
            }
            let neighbours = (0..<50).map { number in
                Task { try await pool.query("SELECT \(number) AS n").first?.decode("n", as: Int.self) }
            }
            victims.forEach { $0.cancel() }
            for (number, neighbour) in neighbours.enumerated() {
                let answer = try await neighbour.value
                #expect(answer == number)
            }
        }
    }

    @Test func aLostSharedConnectionComesBack() async throws {
        try await withConnection { other in
            try await withPool {
                $0.sharedConnections = 1
            } _: { pool in
                for _ in 0..<3 {
                    let pid = try #require(
                        await pool.query("SELECT pg_backend_pid() AS pid").first?.decode("pid", as: Int.self))
                    async let sleeping = failure { try await pool.query("SELECT pg_sleep(60)") }
                    try await waitUntil(other, isSleeping(Int32(pid)))
                    try await other.query("SELECT pg_terminate_backend(\(Int32(pid)))")
                    #expect(await sleeping?.isConnectionLoss == true)
                    try await expectAnswer(from: pool)
                }
            }
        }
    }

    @Test func withoutAServerTheWaitIsBoundedAndTheReasonNamed() async throws {
        var configuration = PostgresPoolConfiguration()
        configuration.maximumWait = .milliseconds(300)
        let nowhere = try PostgresConfiguration("host=/tmp/no-such-directory user=nobody")
        try await PostgresPool.withPool(nowhere, configuration, logger: .quiet) { pool in
            try await wait(while: pool.snapshot.connectionFailures == 0)
            let error = await failure { try await pool.query("SELECT 1") }
            #expect(error?.kind == .poolTimeout)
            #expect(error?.wasSent == false)
            #expect(error?.message.contains("/tmp/no-such-directory") == true, "\(error?.message ?? "")")
            #expect(error?.query == "SELECT 1")
            #expect(await failure { try await pool.withExclusive { _ in } }?.kind == .connectionFailed)
            #expect(pool.snapshot.timeouts == 1)
            #expect(pool.snapshot.connectionFailures > 0)
        }
    }

    @Test func aCancelledTaskDoesNotWait() async throws {
        let nowhere = try PostgresConfiguration("host=/tmp/no-such-directory user=nobody")
        try await PostgresPool.withPool(nowhere, logger: .quiet) { pool in
            let query = Task { await failure { try await pool.query("SELECT 1") } }
            let exclusive = Task { await failure { try await pool.withExclusive { _ in } } }
            try await wait(while: pool.snapshot.sharedWaiting == 0 || pool.snapshot.exclusiveTaken == 0)
            query.cancel()
            exclusive.cancel()
            #expect(await query.value?.kind == .cancelled)
            #expect(await exclusive.value?.kind == .cancelled)
            #expect(pool.snapshot.exclusiveTaken == 0)
        }
    }

    // MARK: Exclusive

    @Test func theWaitForAnExclusiveConnectionIsBounded() async throws {
        try await withPool {
            $0.exclusiveConnections = 1
            $0.maximumWait = .milliseconds(200)
        } _: { pool in
            try await pool.withExclusive { _ in
                let error = await failure { try await pool.withExclusive { _ in } }
                #expect(error?.kind == .poolTimeout)
                #expect(pool.snapshot.timeouts == 1)
            }
            try await pool.withExclusive { try await expectAnswer(from: $0) }
        }
    }

    @Test func exclusiveConnectionsAreReusedInTurn() async throws {
        try await withPool {
            $0.exclusiveConnections = 2
        } _: { pool in
            let busy = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await pool.withExclusive { connection in
                            #expect(busy.enter() <= 2)
                            try await expectAnswer(from: connection)
                            busy.leave()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(pool.snapshot.exclusiveIdle == 2)
            #expect(pool.snapshot.exclusiveTaken == 0)
        }
    }

    @Test func aCancelledTaskStopsTheServerAndTheNextUserIsSafe() async throws {
        try await withConnection { other in
            try await withPool {
                $0.exclusiveConnections = 1
            } _: { pool in
                try await waitUntilUp(pool)
                let first = try await pool.withExclusive { $0.backendPID }
                let task = Task {
                    await failure { try await pool.withExclusive { try await $0.query("SELECT pg_sleep(60)") } }
                }
                try await waitUntil(other, isSleeping(first))
                task.cancel()
                #expect(await task.value?.kind == .cancelled)
                let next = try await pool.withExclusive { connection in
                    try await expectAnswer(from: connection)
                    return connection.backendPID
                }
                #expect(next == first, "the connection is kept")
                #expect(pool.snapshot.cancellations >= 1)
            }
        }
    }

    /// The way to the server is blocked for the cancellation, and meanwhile the statement ends by itself.
    @Test func theNextUserComesOnlyAfterTheCancellationHasArrived() async throws {
        try await withConnection { other in
            try await withPool {
                $0.exclusiveConnections = 1
                $0.cancelGrace = .seconds(30)
            } _: { pool in
                try await waitUntilUp(pool)
                let canceller = try #require(pool.control.connections.first)
                let pid = try await pool.withExclusive { $0.backendPID }
                for key in 9101...9103 { try await other.query("SELECT pg_advisory_lock(\(key))") }
                async let blocked = canceller.query("SELECT pg_advisory_lock_shared(9101)")
                try await waitUntil(other, isWaitingForLock(canceller.backendPID))
                let victim = Task {
                    try await pool.withExclusive { try await $0.query("SELECT pg_advisory_lock_shared(9102)") }
                }
                try await waitUntil(other, isWaitingForLock(pid))
                victim.cancel()
                try await wait(while: pool.snapshot.cancellations == 0)
                async let next = pool.withExclusive { connection in
                    try await connection.query("SELECT 5 AS n FROM pg_advisory_lock_shared(9103)").first
                }
                try await other.query("SELECT pg_advisory_unlock(9102)")
                // Time enough for the next user to begin, if it were let in.
                for _ in 0..<500 { try await expectAnswer(from: other) }
                try await other.query("SELECT pg_advisory_unlock(9101)")
                try await waitUntil(other, isWaitingForLock(pid))
                try await other.query("SELECT pg_advisory_unlock(9103)")
                #expect(try await next?.decode("n", as: Int.self) == 5)
                _ = try await blocked
                #expect(await failure { try await victim.value }?.kind == .cancelled)
            }
        }
    }

    @Test(arguments: 0..<3 as Range<UInt64>) func aLateCancellationNeverHitsTheNextUser(seed: UInt64) async throws {
        try await withPool {
            $0.exclusiveConnections = 1
        } _: { pool in
            try await waitUntilUp(pool)
            var generator = SeededGenerator(seed)
            for _ in 0..<60 {
                let yields = Int.random(in: 0..<60, using: &generator)
                let victim = Task {
                    try await pool.withExclusive { connection in
                        // Done at about the time of the cancellation: sometimes before, sometimes after.
                        for _ in 0..<5 { try await connection.query("SELECT pg_sleep(0.0002)") }
                    }
                }
                for _ in 0..<yields { await Task.yield() }
                victim.cancel()
                try await pool.withExclusive { connection in
                    for _ in 0..<3 { try await expectAnswer(from: connection) }
                }
                _ = await victim.result
            }
        }
    }

    @Test func aCopyGivenUpIsStoppedOnTheServer() async throws {
        try await withPool {
            $0.exclusiveConnections = 1
        } _: { pool in
            try await waitUntilUp(pool)
            let pids = Pids()
            for _ in 0..<3 {
                try await pool.withExclusive { connection in
                    pids.insert(connection.backendPID)
                    // Without being told to stop, the server would send for ever.
                    let copy = try await connection.copyOut("COPY (SELECT generate_series(1, 100000000000)) TO STDOUT")
                    for try await _ in copy { break }
                }
            }
            #expect(pids.count == 1)
        }
    }

    @Test func aTransactionLeftOpenIsRolledBack() async throws {
        try await withPool {
            $0.exclusiveConnections = 1
        } _: { pool in
            try await pool.withExclusive { connection in
                try await connection.query("CREATE TEMP TABLE t (id int)")
                try await connection.query("BEGIN")
                try await connection.query("INSERT INTO t VALUES (1)")
            }
            try await pool.withExclusive { connection in
                #expect(await connection.transactionStatus == .idle)
                let left = try await connection.query("SELECT FROM t")
                #expect(left.count == 0)
            }
        }
    }

    @Test func aDeadExclusiveConnectionIsReplaced() async throws {
        try await withConnection { other in
            try await withPool {
                $0.exclusiveConnections = 1
            } _: { pool in
                let first = try await pool.withExclusive { $0.backendPID }
                try await other.query("SELECT pg_terminate_backend(\(first))")
                try await waitUntil(other, "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(first))")
                // It may take the connection a moment to hear of its end.
                var second = first
                while second == first {
                    second =
                        (try? await pool.withExclusive {
                            try await expectAnswer(from: $0)
                            return $0.backendPID
                        }) ?? first
                }
                #expect(pool.snapshot.exclusiveTaken == 0)
            }
        }
    }

    // MARK: Shutdown

    @Test func shutdownLetsWorkFinishAndRefusesMore() async throws {
        let pool = PostgresPool(try TestServer.shared.configuration, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            try await expectAnswer(from: pool)
            let blocker = try await PostgresConnection.connect(try TestServer.shared.configuration, logger: .quiet)
            try await blocker.query("SELECT pg_advisory_lock(9001)")
            async let slow = pool.query("SELECT 7 AS n FROM pg_advisory_lock_shared(9001)").first?.decode(
                "n", as: Int.self)
            async let exclusive = pool.withExclusive { connection in
                try await connection.query("SELECT 8 AS n FROM pg_advisory_lock_shared(9001)").first?.decode(
                    "n", as: Int.self)
            }
            try await wait(while: pool.snapshot.sharedLoad == 0 || pool.snapshot.exclusiveTaken == 0)
            async let shutdown: Void = pool.shutdown()
            // Closing the blocker's connection lets go of the lock, and only then can the shutdown come to its end.
            try await wait(while: await failure { try await pool.query("SELECT 1") }?.kind != .closed)
            await blocker.close()
            await shutdown
            #expect(try await slow == 7)
            #expect(try await exclusive == 8)
            #expect(await failure { try await pool.query("SELECT 1") }?.kind == .closed)
            #expect(await failure { try await pool.withExclusive { _ in } }?.kind == .closed)
            try await group.waitForAll()
        }
        #expect(pool.snapshot.sharedUp == 0)
    }

    @Test func cancellingRunEndsThePool() async throws {
        let pool = PostgresPool(try TestServer.shared.configuration, logger: .quiet)
        let running = Task { await pool.run() }
        try await expectAnswer(from: pool)
        running.cancel()
        await running.value
        #expect(await failure { try await pool.query("SELECT 1") }?.kind == .closed)
    }

    /// The connection through which work is cancelled must be up for what these tests expect.
    private func waitUntilUp(_ pool: PostgresPool) async throws {
        try await wait(while: pool.control.connections.isEmpty)
    }
}
