import Domain
import EventLog
import Foundation
import Testing

@testable import Service

struct LogStateTests {
    @Test func `the head is asked of the database and announced to followers`() async throws {
        try await ImportFixture.run { fixture in
            let head = HeadSignal()
            let log = state(fixture, head: head)
            #expect(try await log.current().position == 0)
            let position = try await append(fixture)
            let current = try await log.current()
            #expect(current.position == position && head.position == position)
            #expect(try await log.position(at: try #require(current.recordedAt)) == position)
            #expect(try await log.position(at: .distantPast) == 0)
        }
    }

    @Test func `before the month in which the log began there is nothing`() async throws {
        try await ImportFixture.run { fixture in
            let position = try await append(fixture)
            let log = state(fixture)
            #expect(try await log.position(beforeTheMonthOf: position) == 0)
            #expect(try await log.position(beforeTheMonthOf: position + 1) == 0)
        }
    }

    @Test func `a reader waits until the model is there, or its time is up`() async throws {
        try await ImportFixture.run { fixture in
            let progress = ModelProgress()
            let log = state(fixture, progress: progress)
            #expect(await !log.wait(for: 5, model: "findings", atMost: .milliseconds(10)))
            async let isThere = log.wait(for: 5, model: "findings", atMost: .seconds(60))
            while !progress.isAwaited("findings") { await Task.yield() }
            progress.reached(5, model: "findings")
            #expect(await isThere)
            #expect(log.position(of: "findings") == 5)
        }
    }

    private func state(
        _ fixture: ImportFixture, head: HeadSignal = HeadSignal(), progress: ModelProgress = ModelProgress()
    ) -> LogState {
        LogState(
            epoch: 1, startPosition: 0, reader: fixture.reader, head: head, progress: progress, writes: OwnWrites { 0 })
    }

    /// - Returns: the position of a new event.
    private func append(_ fixture: ImportFixture) async throws -> Int64 {
        let store = StreamStore(reader: fixture.reader, appender: fixture.appender)
        let command = CommandIdentity(id: UUID(), fingerprint: Array(repeating: 0, count: 16), actor: nil)
        let decision = try DatasetDecider.decide(
            .register(RegisterDataset(title: try DatasetTitle("A dataset"))), DatasetState())
        let outcome: Outcome<DatasetState> = try await store.begin(UUID(), command) { decision }
        return outcome.stored.position
    }
}
