import Domain
import EventLog
import Foundation
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

@testable import Imports
@testable import Service

struct RotationTests {
    @Test func `each region's week begins in its own zone, and ten minutes later it has targets`() async throws {
        // A Monday, 00:05 in New York.
        try await RotationFixture.run(at: "2026-04-27T04:05:00Z") { fixture in
            let rotation = fixture.rotation()
            let regions = [try RegionCode("northeast"), try RegionCode("alaska")]
            let early = try await rotation.run(regions)
            #expect(early[0].outcome == .early(try Instant("2026-04-27T04:10:00Z")))
            #expect(early.map(\.week.description) == ["2026-W18", "2026-W17"])
            fixture.clock.now = try Instant("2026-04-27T04:10:00Z")
            let due = try await rotation.run(regions)
            guard case .chosen(let choice) = due[0].outcome else {
                Issue.record("\(due[0])")
                return
            }
            #expect(choice.startsAt == (try Instant("2026-04-27T04:00:00Z")))
            #expect(choice.endsAt == (try Instant("2026-05-04T04:00:00Z")))
            #expect(choice.targets.count == 3 && choice.relaxed == [.difficulty, .seasonalList])
            #expect(try await rotation.run(regions)[0].outcome == .settled(.chosen(choice)))
        }
    }

    @Test func `ten processes at once leave one choice a region`() async throws {
        try await RotationFixture.run(at: "2026-04-29T12:00:00Z") { fixture in
            let rotations = (0..<10).map { _ in fixture.rotation() }
            let (outcomes, failures) = await atOnce(rotations.map { rotation in { try await rotation.run() } })
            #expect(failures.isEmpty)
            let choices = try await fixture.choices()
            #expect(choices.count == 14 && Set(choices.map(\.region)).count == 14)
            for results in outcomes {
                for result in results {
                    let winner = choices.first { $0.region == result.region }
                    switch result.outcome {
                    case .chosen(let choice), .settled(.chosen(let choice)): #expect(choice == winner)
                    default: Issue.record("\(result)")
                    }
                }
            }
        }
    }

    @Test func `a dry run changes nothing and says what a run will choose`() async throws {
        try await RotationFixture.run(at: "2026-04-29T12:00:00Z") { fixture in
            let head = try await fixture.log.head()
            let dry = try await fixture.rotation().run(isDry: true)
            #expect(try await fixture.log.head() == head)
            #expect(try await fixture.rotation().run().map(\.outcome) == dry.map(\.outcome))
        }
    }

    @Test func `the choice waits until the public records have reached its position`() async throws {
        try await RotationFixture.run(at: "2026-04-29T12:00:00Z") { fixture in
            _ = try await TaxaImport(log: fixture.log.log).run(
                try fixture.log.write("more.tsv", ["scientificName\trank\tparent\tkind", "Aus\tgenus\tAves\tbird"]))
            // The clock of the log is past that of this week, so that the new taxon is above its position.
            #expect(try await fixture.rotation().run([RegionCode("alaska")]).first?.outcome != .behind)
            fixture.clock.now = Instant.now.adding(seconds: 14 * 86_400)
            #expect(try await fixture.rotation().run([RegionCode("hawaii")]).first?.outcome == .behind)
            try await fixture.follow()
            guard case .chosen = try await fixture.rotation().run([RegionCode("hawaii")]).first?.outcome else {
                Issue.record("not chosen")
                return
            }
        }
    }

    @Test func `a region whose records cannot be read does not keep the others waiting`() async throws {
        try await RotationFixture.run(at: "2026-04-29T12:00:00Z") { fixture in
            let schema = ReadModel.sightingsPublic.schema
            try await fixture.log.pool.transaction { connection in
                _ = try await connection.query("alter table \(identifier: schema).records rename to records_aside")
                _ = try await connection.query(
                    """
                    create view \(identifier: schema).records as
                    select null::uuid as taxon, null::uuid as observer, null::uuid as recorder, null::uuid as dataset,
                           'alaska'::text as region, null::text as border_region,
                           '2025-04-28'::date as local_from, int8range(0, null) as valid,
                           int8range(0, null) as shown, 1 / (0 * random())::int = 0 as seasonal
                    """)
            }
            let results = try await fixture.rotation().run()
            // Alaska's records count for its neighbour Hawaii, too.
            let failed = Set(results.filter(\.isFailed).map(\.region.text))
            #expect(failed == ["alaska", "hawaii"])
            #expect(results.count == 14)
            try await fixture.log.pool.transaction { connection in
                _ = try await connection.query("drop view \(identifier: schema).records")
                _ = try await connection.query("alter table \(identifier: schema).records_aside rename to records")
            }
            let failures = try await fixture.rotation().run().filter(\.isFailed)
            #expect(failures.isEmpty)
            #expect(try await fixture.choices().count == 14)
        }
    }

    @Test func `past weeks are missed from the first choice on, never chosen`() async throws {
        try await RotationFixture.run(at: "2026-04-29T12:00:00Z") { fixture in
            let region = try RegionCode("alaska")
            let past = try await fixture.rotation().run([region], week: try ISOWeek("2026-W10"))
            #expect(past.map(\.outcome) == [.beforeFirst])
            _ = try await fixture.rotation().run([region])
            try await fixture.follow()
            fixture.clock.now = fixture.clock.now.adding(seconds: 3 * 7 * 86_400)
            let results = try await fixture.rotation().run([region])
            #expect(results.map(\.week.description) == ["2026-W19", "2026-W20", "2026-W21"])
            #expect(results.prefix(2).allSatisfy { $0.outcome == .missed })
            try await fixture.follow()
            let late = try await fixture.rotation().run([region], week: try ISOWeek("2026-W19"))
            #expect(late.map(\.outcome) == [.settled(.missed)])
            let before = try await fixture.rotation().run([region], week: try ISOWeek("2026-W17"))
            #expect(before.map(\.outcome) == [.beforeFirst])
        }
    }

    /// Two years over all regions. Processes start, die and overlap at random, and once all are down for two weeks.
    @Test(arguments: RandomSource.seeds(1))
    func `two years of weeks`(seed: UInt64) async throws {
        try await RotationFixture.run(at: "2025-12-22T12:00:00Z", drivingLog: true) { fixture in
            var random = RandomSource(seed: seed)
            var processes: [RotationService] = []
            let outage = (try Instant("2026-08-03T00:00:00Z"))..<(try Instant("2026-08-18T00:00:00Z"))
            let end = try Instant("2027-12-26T00:00:00Z")
            while fixture.clock.now < end {
                try await fixture.advance(by: random.int(in: 1...(24 * 3600)))
                let isDown = outage.contains(fixture.clock.now)
                if isDown || (processes.count > 1 && random.isTrue(oneIn: 6)) {
                    processes = Array(processes.dropFirst())
                }
                if isDown { continue }
                if processes.isEmpty || (processes.count < 3 && random.isTrue(oneIn: 8)) {
                    processes.append(fixture.service())
                }
                try await look(processes, fixture)
            }
            try await check(fixture)
        }
    }

    /// Lets processes look at once, until nothing is due.
    private func look(_ processes: [RotationService], _ fixture: RotationFixture) async throws {
        var head: Int64 = -1
        while try await fixture.log.head() != head {
            head = try await fixture.log.head()
            let (_, failures) = await atOnce(processes.map { process in { try await process.look() } })
            #expect(failures.isEmpty)
            try await fixture.follow()
        }
    }

    private func check(_ fixture: RotationFixture) async throws {
        let events = try await fixture.events()
        var weeks: [RegionCode: [ISOWeek: TargetsEvent]] = [:]
        for (event, _) in events {
            let (region, week): (RegionCode, ISOWeek) = try #require(subject(of: event))
            #expect(weeks[region]?[week] == nil, "twice: \(region) \(week)")
            weeks[region, default: [:]][week] = event
        }
        #expect(weeks.count == 14)
        for (region, found) in weeks {
            let order = found.keys.sorted()
            let first = try #require(order.first)
            #expect(order == order.indices.map { first.adding(weeks: $0) }, "every week of \(region) once")
            #expect((104...106).contains(order.count))
            let missed = order.filter { if case .missed = found[$0] { true } else { false } }
            #expect(missed.map(\.description) == ["2026-W32", "2026-W33"], "\(region)")
            try checkTargets(
                order.compactMap { week in
                    if case .chosen(let choice)? = found[week] { choice } else { nil }
                })
        }
    }

    private func subject(of event: TargetsEvent) -> (RegionCode, ISOWeek)? {
        switch event {
        case .chosen(let choice): (choice.region, choice.week)
        case .missed(let missed): (missed.region, missed.week)
        case .planned, .replaced, .redacted, .payloadRedacted: nil
        }
    }

    private func checkTargets(_ choices: [TargetsChosen]) throws {
        var last: [TaxonID: ISOWeek] = [:]
        for choice in choices {
            #expect(choice.targets.count == 3)
            let rest = choice.relaxed.contains(.weeks) ? 4 : 8
            for target in choice.targets {
                if let before = last[target.taxon] {
                    #expect(before.adding(weeks: rest) < choice.week, "\(choice.region) \(choice.week)")
                }
                last[target.taxon] = choice.week
            }
        }
    }
}
