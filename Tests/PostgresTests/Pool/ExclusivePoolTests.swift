import Foundation
import TestRandom
import TestSupport
import Testing

@testable import Postgres

@Suite(.hangs) struct ExclusivePoolTests {
    @Test func `more than may wait are rejected at once`() async throws {
        try await withPool {
            ($0.exclusiveConnections, $0.exclusiveWaiters) = (1, 1)
        } _: { pool in
            try await pool.withExclusive { _ in
                let waiting = Task { await failure { try await pool.withExclusive { _ in } } }
                try await wait(while: pool.snapshot.exclusiveWaiting == 0)
                #expect(await failure { try await pool.withExclusive { _ in } }?.kind == .poolTimeout)
                waiting.cancel()
                #expect(await waiting.value?.kind == .cancelled)
            }
        }
    }

    @Test func `the server interrupts a statement that takes too long, and the connection is used again`()
        async throws
    {
        try await withPool {
            ($0.exclusiveConnections, $0.exclusiveStatementTimeout) = (1, .milliseconds(100))
        } _: { pool in
            let pid = try await pool.withExclusive { $0.backendPID }
            let error = await failure { try await pool.withExclusive { try await $0.query("SELECT pg_sleep(60)") } }
            #expect(error?.sqlState == .queryCanceled)
            #expect(try await pool.withExclusive { $0.backendPID } == pid)
        }
    }

    @Test func `a lent connection has the deadline of its loan`() async throws {
        try await withPool {
            $0.exclusiveConnections = 1
        } _: { pool in
            let error = await failure {
                try await pool.withExclusive(within: .milliseconds(100)) { try await $0.query("SELECT pg_sleep(60)") }
            }
            #expect(error?.kind == .timeout)
            _ = try await pool.withExclusive { try await $0.query("SELECT pg_sleep(0.3)") }
        }
    }

    @Test func `the wait for an exclusive connection is bounded`() async throws {
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

    @Test func `exclusive connections are reused in turn`() async throws {
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

    @Test func `a cancelled task stops the server and the next user is safe`() async throws {
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
    @Test func `the next user comes only after the cancellation has arrived`() async throws {
        try await withConnection { other in
            try await withPool {
                $0.exclusiveConnections = 1
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

    @Test(arguments: 0..<3 as Range<UInt64>) func `a late cancellation never hits the next user`(seed: UInt64)
        async throws
    {
        try await withPool {
            $0.exclusiveConnections = 1
        } _: { pool in
            try await waitUntilUp(pool)
            var generator = RandomSource(seed: seed)
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

    @Test func `a copy given up is stopped on the server`() async throws {
        try await withPool {
            $0.exclusiveConnections = 1
        } _: { pool in
            try await waitUntilUp(pool)
            let pids = Pids()
            // On the loop of the connection through which the server is told to stop.
            try await withTaskExecutorPreference(EventLoopExecutor(EventLoops.all[0])) {
                for _ in 0..<3 {
                    try await pool.withExclusive { connection in
                        pids.insert(connection.backendPID)
                        // Without being told to stop, the server would send for ever.
                        let copy = try await connection.copyOut(
                            "COPY (SELECT generate_series(1, 100000000000)) TO STDOUT")
                        for try await _ in copy { break }
                    }
                }
            }
            #expect(pids.count == 1)
        }
    }

    @Test func `a transaction left open is rolled back`() async throws {
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

    @Test func `a dead exclusive connection is replaced`() async throws {
        try await withConnection { other in
            try await withPool {
                $0.exclusiveConnections = 1
            } _: { pool in
                let first = try await pool.withExclusive { $0.backendPID }
                try await other.query("SELECT pg_terminate_backend(\(first))")
                try await waitUntil(other, "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(first))")
                // It may take the connection a moment to hear of its end.
                try await until {
                    let second = try? await pool.withExclusive {
                        try await expectAnswer(from: $0)
                        return $0.backendPID
                    }
                    return second != nil && second != first
                }
                #expect(pool.snapshot.exclusiveTaken == 0)
            }
        }
    }
}
