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

    @Test func `are rejected when the clock jumped further ahead than time has passed`() async throws {
        try await LogFixture.run { log in
            let late = Date(timeIntervalSinceNow: 4_000)
            _ = try await log.appender.append(.sample())
            _ = try await log.owner.query(
                """
                with s as (insert into log.streams values (gen_random_uuid(), 'sighting', 1, 2) returning id)
                insert into log.events select 2, id, 1, 'SightingSubmitted', null, null, null, \(late),
                    gen_random_uuid(), '{}' from s
                """)
            let error = await #expect(throws: AppendError.self) { try await log.appender.append(.sample()) }
            guard case .clockAhead? = error else { throw try #require(error) }
            #expect(try await log.reader.origin().position == 2)
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
            #expect(try await log.reader.time(of: 20) == receipts[19].recordedAt)
        }
    }

    @Test func `the guard counts on from the later of clock and last event`() {
        let start = ContinuousClock.now
        let clock = Date(timeIntervalSince1970: 1_000_000)
        let behind = ClockGuard(databaseTime: clock, lastRecorded: clock.addingTimeInterval(-86_400), now: start)
        #expect(behind.limit(at: start + .seconds(10)) == clock.addingTimeInterval(310))
        let ahead = ClockGuard(databaseTime: clock, lastRecorded: clock.addingTimeInterval(60), now: start)
        #expect(ahead.limit(at: start) == clock.addingTimeInterval(360))
    }
}
