import Domain
import EventLog
import Foundation
import ReadModels
import TestSupport
import Testing

@testable import Service

/// Reads in a log whose head is 100, with models that have reached positions.
struct ReadsTests {
    private struct Scene {
        let reads: Reads
        let progress = ModelProgress()
        let head = HeadSignal()
        let writes = OwnWrites { 0 }

        init(_ fixture: ImportFixture, now: Instant = .now) {
            let log = LogState(
                LogStart(epoch: 1, position: 10, key: Array(0..<32)), reader: fixture.reader, head: head,
                progress: progress, writes: writes, now: { now })
            reads = Reads(
                log: log, primary: fixture.pool, router: ReadRouter(), months: MonthEnds(log), logger: .quiet)
            head.announce(100)
        }

        func reached(_ position: Int64, _ models: ReadModel...) {
            for model in models { progress.reached(position, model: model.name) }
        }

        /// - Returns: the position of the answer.
        func read(_ plan: ReadPlan, _ asked: Asked = Asked()) async throws -> Int64 {
            try await reads.read(plan, asked) { $0.moment.shown }.value
        }
    }

    private static let plan = ReadPlan(.sightingsExact, .photos)

    @Test func `an answer that must show nothing in particular waits for nothing`() async throws {
        try await ImportFixture.run { fixture in
            let scene = Scene(fixture)
            scene.reached(99, .sightingsExact)
            scene.reached(98, .photos)
            let shown = try await scene.reads.read(Self.plan) { _ in "rows" }
            #expect(shown.value == "rows" && shown.position == 98, "no more than what all of its models have")
        }
    }

    @Test func `nothing is read while one of its models is being built, fails or is ahead of the log`() async throws {
        try await ImportFixture.run { fixture in
            let scene = Scene(fixture)
            scene.reached(99, .sightingsExact)
            scene.reached(9, .photos)
            await #expect(throws: ModelBehind.self) { try await scene.read(Self.plan) }
            for fault in [ModelProgress.Fault.failing, .ahead] {
                scene.reached(99, .photos)
                scene.progress.fail(ReadModel.photos.name, fault)
                await #expect(throws: ModelBehind.self) { try await scene.read(Self.plan) }
            }
            scene.reached(99, .photos)
            let position = try await scene.read(Self.plan)
            #expect(position == 99)
        }
    }

    @Test func `an answer waits until all of its models have what it must show`() async throws {
        try await ImportFixture.run { fixture in
            let account = AccountID(UUID())
            for asked in [Asked(position: 100), Asked(position: 7, of: account)] {
                let scene = Scene(fixture)
                scene.writes.acknowledge(100, by: account.uuid)
                scene.reached(99, .sightingsExact, .photos)
                async let position = scene.read(Self.plan, asked)
                for model in Self.plan.models {
                    try await until { scene.progress.isAwaited(model.name) }
                    scene.reached(100, model)
                }
                #expect(try await position == 100)
            }
        }
    }

    @Test func `an answer does not wait for other accounts' writes, and never longer than two seconds`() async throws {
        try await ImportFixture.run { fixture in
            let scene = Scene(fixture)
            scene.writes.acknowledge(100, by: UUID())
            scene.reached(99, .sightingsExact, .photos)
            let position = try await scene.read(Self.plan, Asked(of: AccountID(UUID())))
            #expect(position == 99)
            let start = ContinuousClock.now
            await #expect(throws: ModelBehind.self) { try await scene.read(Self.plan, Asked(position: 100)) }
            #expect(ContinuousClock.now - start >= .seconds(2))
        }
    }

    /// Otherwise a name that was narrowed meanwhile would be shown.
    @Test func `the other models of an answer for everyone are as far as the records`() async throws {
        try await ImportFixture.run { fixture in
            let scene = Scene(fixture)
            scene.reached(100, .sightingsPublic)
            scene.reached(99, .accounts)
            async let position = scene.read(PublicReader.named)
            try await until { scene.progress.isAwaited(ReadModel.accounts.name) }
            scene.reached(100, .accounts)
            #expect(try await position == 100)
        }
    }

    @Test func `as of a day, taxa are named by their model; the present names are in memory`() throws {
        let day = try CivilDate("2026-05-01")
        for (plan, models) in [
            (PublicReader.maps, [ReadModel.sightingsPublic, .taxa]),
            (PublicReader.named, [.sightingsPublic, .accounts, .taxa]),
            (PublicReader.named.with(PublicReader.maps), [.sightingsPublic, .accounts, .taxa]),
            (PublicReader.galleries, [.sightingsPublic, .accounts, .taxa]),
        ] {
            #expect(plan.asOf(day).models == models)
            #expect(plan.asOf(nil).models == plan.models)
        }
        #expect(!PublicReader.maps.models.contains(.taxa) && !PublicReader.named.models.contains(.taxa))
    }

    @Test func `an answer as of a day is of one that is over`() async throws {
        try await ImportFixture.run { fixture in
            let today = Instant.now.date()
            let scene = Scene(fixture, now: .now.adding(seconds: 2 * 86_400))
            scene.reached(100, .sightingsPublic, .accounts, .taxa)
            let shown = try await scene.reads.read(PublicReader.named, Asked(asOf: today)) { $0.moment }.value
            #expect(shown.known == 0 && shown.shown == 100, "nothing is recorded")
            await #expect(throws: DayNotOver.self) {
                try await scene.read(PublicReader.named, Asked(asOf: today.adding(days: 2)))
            }
        }
    }
}
