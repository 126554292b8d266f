import Foundation
import Logging
import TestSupport
import Testing

@testable import Postgres

@Suite(.hangs) struct PoolTests {
    // MARK: Shared

    @Test func `nothing queues behind a slow statement while another connection is free, even a far one`() async throws
    {
        try await withPool {
            $0.sharedConnections = 2
        } _: { pool in
            try await wait(while: pool.shared.connections.count < 2)
            try await withTaskExecutorPreference(EventLoopExecutor(EventLoops.all[0])) {
                let slow = Task(executorPreference: EventLoopExecutor(EventLoops.all[0])) {
                    try await pool.query("SELECT pg_sleep(60)")
                }
                try await wait(while: !pool.shared.connections.contains { $0.mailbox.backlog()?.isStalled == true })
                for _ in 0..<20 { try await pool.query("SELECT 1") }
                #expect(pool.shared.connections.map(\.load).sorted() == [0, 1])
                slow.cancel()
                _ = await slow.result
            }
        }
    }

    @Test func `ten thousand tasks on four connections`() async throws {
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

    @Test func `load is spread over the connections`() async throws {
        try await withPool { pool in
            try await expectAnswer(from: pool)
            try await wait(while: pool.snapshot.sharedUp < 4)
            // None ends before all have begun: what they wait for is held until then.
            let pids = try await pool.withExclusive { holder in
                try await holder.query("SELECT pg_advisory_lock(7)")
                return try await withThrowingTaskGroup(of: Int32.self) { group in
                    for number in 1...4 {
                        group.addTask {
                            let sql: SQL = "SELECT pg_backend_pid() AS pid FROM pg_advisory_xact_lock_shared(7)"
                            return try await pool.query(sql).onlyRow().decode("pid")
                        }
                        try await wait(while: pool.snapshot.sharedLoad < number)
                    }
                    try await holder.query("SELECT pg_advisory_unlock(7)")
                    return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
                }
            }
            #expect(pids.count == 4)
        }
    }

    @Test func `a long statement is interrupted by the server`() async throws {
        try await withPool {
            // More than a short statement takes, however busy the machine.
            $0.sharedStatementTimeout = .seconds(2)
        } _: { pool in
            #expect(await failure { try await pool.query("SELECT pg_sleep(60)") }?.sqlState == .queryCanceled)
            try await expectAnswer(from: pool)
        }
    }

    @Test func `a cancelled task does not hurt its neighbours on a shared connection`() async throws {
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

    @Test func `a lost shared connection comes back`() async throws {
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

    @Test func `without a server the wait is bounded and the reason named`() async throws {
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

    @Test func `a cancelled task does not wait`() async throws {
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

    // MARK: Shutdown

    @Test func `shutdown lets work finish and rejects more`() async throws {
        let pool = PostgresPool(try await TestServer.shared.configuration, .patient, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            // With fewer, the statements below would wait behind the one that is blocked.
            try await wait(while: pool.snapshot.sharedUp < 4)
            let blocker = try await PostgresConnection.connect(
                try await TestServer.shared.configuration, logger: .quiet)
            try await blocker.query("SELECT pg_advisory_lock(9001)")
            async let slow = pool.query("SELECT 7 AS n FROM pg_advisory_lock_shared(9001)").first?.decode(
                "n", as: Int.self)
            async let exclusive = pool.withExclusive { connection in
                try await connection.query("SELECT 8 AS n FROM pg_advisory_lock_shared(9001)").first?.decode(
                    "n", as: Int.self)
            }
            try await wait(while: pool.snapshot.sharedLoad == 0 || pool.snapshot.exclusiveTaken == 0)
            async let shutdown: Void = pool.shutdown()
            // Closing the blocker's connection releases the lock, and only then can the shutdown complete.
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

    @Test func `cancelling run ends the pool`() async throws {
        let pool = PostgresPool(try await TestServer.shared.configuration, .patient, logger: .quiet)
        let running = Task { await pool.run() }
        try await expectAnswer(from: pool)
        running.cancel()
        await running.value
        #expect(await failure { try await pool.query("SELECT 1") }?.kind == .closed)
    }
}
