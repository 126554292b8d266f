import Domain
import EventLog
import Foundation
import NIOConcurrencyHelpers
import ReadModels
import Testing

@testable import Service

struct MonthEndsTests {
    /// Ten minutes pass first: the database's clock may be behind by five.
    @Test func `what was recorded in a month is before its end only when it is over`() async throws {
        try await ImportFixture.run { fixture in
            let outcome = try await record(fixture)
            let (position, recorded) = (outcome.position, Instant(outcome.recordedAt))
            let next = try startOfMonth(after: recorded)
            let (last, nextDay) = (next.date().adding(days: -1), next.date())

            let clock = NIOLockedValueBox(recorded)
            let months = MonthEnds(
                LogState(
                    LogStart(epoch: 1, position: 0, key: Array(0..<32)), reader: fixture.reader, head: HeadSignal(),
                    progress: ModelProgress(), writes: OwnWrites { 0 }, now: { clock.withLockedValue { $0 } }))
            func ends(at now: Instant, asOf day: CivilDate? = nil) async throws -> [Int64] {
                clock.withLockedValue { $0 = now }
                let ends = try await months.ends(asOf: day)
                return [ends.guarded, ends.settled]
            }
            #expect(try await ends(at: recorded) == [0, 0])
            #expect(try await ends(at: next.adding(seconds: 599)) == [0, 0])
            #expect(try await ends(at: next.adding(seconds: 600)) == [position, position])
            #expect(try await ends(at: next.adding(seconds: 600), asOf: last) == [position, position])
            #expect(try await ends(at: next.adding(seconds: 600), asOf: last.adding(days: -1)) == [0, position])
            #expect(try await ends(at: next.adding(seconds: 86_400 + 600), asOf: nextDay) == [position, position])
            #expect(try await ends(at: recorded) == [0, 0], "what was found is of its month")
        }
    }

    private func record(_ fixture: ImportFixture) async throws -> Stored<DatasetState> {
        let store = StreamStore(reader: fixture.reader, appender: fixture.appender)
        let command = CommandIdentity(id: UUID(), fingerprint: Array(repeating: 0, count: 16), actor: nil)
        let decision = try DatasetDecider.decide(
            .register(RegisterDataset(title: try DatasetTitle("A dataset"))), DatasetState())
        let outcome: Outcome<DatasetState> = try await store.begin(UUID(), command) { decision }
        return outcome.stored
    }

    private func startOfMonth(after moment: Instant) throws -> Instant {
        let date = moment.date()
        let (year, month) = date.month == 12 ? (date.year + 1, 1) : (date.year, date.month + 1)
        return Instant(startOf: try CivilDate(year: year, month: month, day: 1))
    }
}
