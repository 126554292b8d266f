import EventLog
import FoundationEssentials
import Postgres
import TestSupport
import Testing

struct ClockTests {
    @Test func `never go back, even when the last event's is ahead of the clock`() async throws {
        try await LogFixture.run { log in
            let ahead = Date(timeIntervalSinceNow: 120)
            _ = try await log.owner.query(
                """
                with s as (insert into log.streams values (gen_random_uuid(), 'sighting', 1, 1) returning id)
                insert into log.events select 1, id, 1, 'SightingSubmitted', null, null, null, \(ahead),
                    gen_random_uuid(), '{}' from s
                """)
            let receipt = try await log.appender.append(.sample())
            #expect(abs(receipt.recordedAt.timeIntervalSince(ahead)) < 0.001)
        }
    }

    /// Stops the clocks of the database and of an appender, at offsets from the real time.
    private func drive(
        _ log: LogFixture, database: TimeInterval, process: TimeInterval,
        _ body: @Sendable (Appender) async throws -> Void
    ) async throws {
        let now = Date()
        try await log.stop(clock: now.addingTimeInterval(database))
        try await log.withRival(now: { now.addingTimeInterval(process) }, body)
    }

    private func expectRejected(_ appender: Appender) async throws {
        let error = await #expect(throws: AppendError.self) { try await appender.append(.sample()) }
        guard case .clockRejected? = error else { throw try #require(error) }
    }

    @Test(arguments: [-301.0, 301.0, 31_536_000.0])
    func `a clock that differs from the process's by more than five minutes is rejected`(by: Double) async throws {
        try await LogFixture.run { log in
            try await drive(log, database: by, process: 0) { try await expectRejected($0) }
            try await drive(log, database: 0, process: by) { try await expectRejected($0) }
            #expect(try await log.reader.origin().position == 0)
            try await drive(log, database: by > 0 ? 290 : -290, process: 0) { _ = try await $0.append(.sample()) }
        }
    }

    @Test func `after a pause of an hour, or of a month, appends go on`() async throws {
        try await LogFixture.run { log in
            try await log.fill(1)
            for pause in [3_600, 86_400 * 30.9] {
                try await drive(log, database: pause, process: pause) { _ = try await $0.append(.sample()) }
            }
        }
    }

    @Test func `a jump by more than 31 days is rejected until an operator accepts it`() async throws {
        try await LogFixture.run { log in
            try await log.fill(1)
            let year = 86_400 * 365.0
            try await drive(log, database: year, process: year) { appender in
                try await expectRejected(appender)
                let then = Date(timeIntervalSinceNow: year)
                let redaction = await #expect(throws: PostgresError.self) {
                    try await Redaction.redact(position: 1, reason: "legal", log.owner, now: then)
                }
                #expect(redaction?.sqlState?.rawValue == "SKE02")
                // A rejected clock leaves no mark that would make it acceptable.
                #expect(try await LogClock.mark(log.pool, now: then).fault != nil)
                #expect(try await LogClock.read(log.pool, now: then).fault != nil)
                try await expectRejected(appender)
                try await LogClock.accept(log.owner)
                _ = try await appender.append(.sample())
            }
            #expect(try await log.reader.origin().position == 2)
        }
    }

    @Test func `a new epoch accepts the clock`() async throws {
        try await LogFixture.run { log in
            let year = 86_400 * 365.0
            try await log.set(clock: year)
            _ = try await LogEpoch.begin(log.owner)
            try await drive(log, database: year, process: year) { _ = try await $0.append(.sample()) }
        }
    }

    @Test func `marks keep an idle log from looking like a jump`() async throws {
        try await LogFixture.run { log in
            let step = 86_400 * 20.0
            for days in [step, 2 * step, 3 * step] {
                try await log.set(clock: days)
                let clock = try await LogClock.mark(log.pool, now: Date(timeIntervalSinceNow: days))
                #expect(clock.fault == nil)
            }
            try await drive(log, database: 4 * step, process: 4 * step) { _ = try await $0.append(.sample()) }
        }
    }

    @Test func `a mark is moved by one process in half a minute, and never back`() async throws {
        try await LogFixture.run { log in
            try await log.set(clock: 3_600)
            _ = try await LogClock.mark(log.pool, now: Date(timeIntervalSinceNow: 3_600))
            let place = try await markVersion(log)
            for clock in [3_610.0, -100] {
                try await log.set(clock: clock)
                _ = try await LogClock.mark(log.pool, now: Date(timeIntervalSinceNow: clock))
            }
            #expect(try await markVersion(log) == place)
        }
    }

    private func markVersion(_ log: LogFixture) async throws -> String {
        try await log.pool.query("select ctid::text as place from log.clock_mark").onlyRow().decode("place")
    }

    @Test func `the database's clock is read in one function`() async throws {
        try await LogFixture.run { log in
            let readers = try await log.owner.query(
                """
                select oid::regprocedure::text as name from pg_proc
                 where pronamespace::regnamespace::text in ('log', 'model', 'vault')
                   and prosrc ~* '\\m(clock_timestamp|statement_timestamp|now|current_timestamp)\\M'
                """
            ).rows.map { try $0.decode("name", as: String.self) }
            #expect(readers == ["log.clock()"])
        }
    }

    @Test func `map to positions, by halves`() async throws {
        try await LogFixture.run { log in
            let receipts = try await log.fill(20)
            for receipt in receipts {
                let last = receipts.last { $0.recordedAt == receipt.recordedAt }?.position
                #expect(try await log.reader.position(at: receipt.recordedAt) == last)
            }
            #expect(try await log.reader.position(at: receipts[0].recordedAt.addingTimeInterval(-1)) == 0)
            #expect(try await log.reader.position(at: .distantFuture) == 20)
            #expect(try await log.reader.page(after: 19, limit: 1).first?.recordedAt == receipts[19].recordedAt)
        }
    }
}
