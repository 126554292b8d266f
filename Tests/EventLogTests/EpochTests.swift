import EventLog
import Postgres
import TestSupport
import Testing

struct EpochTests {
    @Test func `rejects appends of who believes in an older one`() async throws {
        try await LogFixture.run { log in
            try await log.fill(1)
            #expect(try await LogEpoch.begin(log.owner) == 2)
            let error = await #expect(throws: AppendError.self) { try await log.appender.append(.sample()) }
            guard case .epochChanged? = error else { throw try #require(error) }
            try await log.withRival { _ = try await $0.append(.sample()) }
            #expect(try await log.reader.origin().epoch == 2)
        }
    }

    @Test func `stays on the same cluster, changes on another`() async throws {
        try await LogFixture.run { log in
            #expect(try await LogEpoch.beginIfMoved(log.owner) == nil)
            _ = try await log.owner.query("update log.head set timeline = timeline + 1")
            #expect(try await LogEpoch.beginIfMoved(log.owner) == 2)
            #expect(try await LogEpoch.beginIfMoved(log.owner) == nil)
        }
    }
}
