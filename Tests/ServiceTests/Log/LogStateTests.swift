import Domain
import EventLog
import Foundation
import TestSupport
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
        }
    }

    /// Ten minutes pass first: the database's clock may be behind by five.
    @Test func `a day is over ten minutes after its end, by the clock alone`() async throws {
        try await ImportFixture.run { fixture in
            let position = try await append(fixture)
            let recorded = try #require(try await state(fixture).reader.origin().lastRecorded)
            let day = Instant(recorded).date()
            let end = Instant(startOf: day.adding(days: 1))
            func known(_ day: CivilDate, at now: Instant) async throws -> Int64? {
                try await state(fixture, now: now).position(atEndOf: day)
            }
            #expect(try await known(day, at: Instant(recorded)) == nil)
            #expect(try await known(day, at: end.adding(seconds: 599)) == nil)
            #expect(state(fixture, now: end.adding(seconds: 599)).lastDay == day.adding(days: -1))
            #expect(state(fixture, now: end.adding(seconds: 600)).lastDay == day)
            #expect(try await known(day, at: end.adding(seconds: 600)) == position)
            let before = day.adding(days: -1)
            let midnight = Instant(startOf: day)
            #expect(try await known(before, at: midnight.adding(seconds: 599)) == nil, "a later event changes nothing")
            #expect(try await known(before, at: midnight.adding(seconds: 600)) == 0)
            #expect(try await known(day.adding(days: -2), at: Instant(recorded)) == 0)
        }
    }

    @Test func `a sealed position is opened by any process of the epoch, up to the head`() async throws {
        try await ImportFixture.run { fixture in
            let position = try await append(fixture)
            let (log, other) = (state(fixture), state(fixture))
            #expect(try await other.position(sealedAs: try log.sealed(position)) == position)
            for (token, fault) in [
                (try log.sealed(position + 1), PositionSeal.Fault.aboveHead),
                (try log.sealed(1, epoch: 7), .otherEpoch),
                ("\(position)", .unreadable),
            ] {
                let error = await #expect(throws: PositionSeal.Fault.self) { try await other.position(sealedAs: token) }
                #expect(error == fault)
            }
        }
    }

    @Test func `a reader waits until the model is there, or its time is up`() async throws {
        try await ImportFixture.run { fixture in
            let progress = ModelProgress()
            let log = state(fixture, progress: progress)
            #expect(await !log.wait(for: 5, model: "findings", atMost: .milliseconds(10)))
            async let isThere = log.wait(for: 5, model: "findings", atMost: Hang.deadline)
            try await until { progress.isAwaited("findings") }
            progress.reached(5, model: "findings")
            #expect(await isThere)
            #expect(log.position(of: "findings") == 5)
        }
    }

    @Test func `a model is behind while it is built, lags, fails to fold an event, or is ahead`() async throws {
        try await ImportFixture.run { fixture in
            let (head, progress) = (HeadSignal(), ModelProgress())
            let log = state(fixture, startPosition: 10, head: head, progress: progress)
            progress.reached(9, model: "findings")
            #expect(log.isBehind("findings"))
            progress.reached(10, model: "findings")
            #expect(!log.isBehind("findings"))
            progress.fail("findings", .failing)
            #expect(!log.isBehind("findings"), "nothing is missing at an idle head")
            head.announce(11)
            #expect(log.isBehind("findings"))
            progress.reached(11, model: "findings")
            head.announce(11 + ReadModel.toleratedLag)
            #expect(!log.isBehind("findings"))
            head.announce(12 + ReadModel.toleratedLag)
            #expect(log.isBehind("findings"))
            progress.reached(head.position, model: "findings")
            progress.fail("findings", .ahead)
            #expect(log.isBehind("findings"))
        }
    }

    private func state(
        _ fixture: ImportFixture, startPosition: Int64 = 0, head: HeadSignal = HeadSignal(),
        progress: ModelProgress = ModelProgress(), now: Instant = .now
    ) -> LogState {
        LogState(
            LogStart(epoch: 1, position: startPosition, key: Array(0..<32)), reader: fixture.reader, head: head,
            progress: progress, writes: OwnWrites { 0 }, now: { now })
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
