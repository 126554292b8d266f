import Logging
import TestSupport
import Testing

@testable import Postgres

/// A server that goes and comes back.
@Suite(.hangs) struct RestartTests {
    @Test(arguments: ["stop -m fast", "stop -m immediate"]) func `the pool recovers`(stop: String) async throws {
        let server = try await TestServer()
        var configuration = PostgresPoolConfiguration.patient
        configuration.maximumWait = .milliseconds(400)
        try await PostgresPool.withPool(try server.configuration, configuration, logger: .quiet) { pool in
            try await wait(while: pool.snapshot.sharedUp < 4)
            try await pool.withExclusive { try await expectAnswer(from: $0) }
            async let sleeping = failure { try await pool.query("SELECT pg_sleep(60)") }
            try await wait(while: pool.snapshot.sharedLoad == 0)

            try await server.control(stop)
            #expect(await sleeping?.isConnectionLoss == true)
            try await wait(while: pool.snapshot.sharedUp > 0)
            let away = await failure { try await pool.query("SELECT 1") }
            #expect(away?.kind == .poolTimeout)
            #expect(
                await failure { try await pool.withExclusive { try await $0.query("SELECT 1") } }?.isConnectionLoss
                    == true)

            try await server.control("start")
            // Each attempt waits for a connection; none may fail in another way.
            try await until {
                guard let error = await failure({ try await pool.query("SELECT 1") }) else { return true }
                #expect(error.kind == .poolTimeout)
                return false
            }
            try await pool.withExclusive { try await expectAnswer(from: $0) }
            try await pool.transaction { try await expectAnswer(from: $0) }
            try await wait(while: pool.snapshot.sharedUp < 4)
            #expect(pool.snapshot.exclusiveTaken == 0)
        }
    }
}
