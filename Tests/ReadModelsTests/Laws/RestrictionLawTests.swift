import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// Whatever restrictions and turns of months change of an answer, the look at what they touched finds it.
struct RestrictionLawTests {
    /// An answer as it was made: its records, one text each.
    private struct Answer {
        let selection: Choice
        let moment: PublicMoment
        let records: [String]
    }

    /// The records that are selected; what the statement says, and the same by hand.
    private enum Choice: CaseIterable {
        case all, licensed, captive

        var selection: RecordSelection {
            switch self {
            case .all: RecordSelection(RecordFilter())
            case .licensed: RecordSelection(RecordFilter(), and: "s.licence = 'CC-BY-4.0'")
            case .captive: RecordSelection(RecordFilter(captive: true))
            }
        }

        func holds(_ sighting: PublicSighting) -> Bool {
            switch self {
            case .all: true
            case .licensed: sighting.licence == .by
            case .captive: sighting.captive == true
            }
        }
    }

    @Test(arguments: RandomSource.seeds(4))
    func `an answer that is not touched is the same`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.accounts, .taxa, .sightingsPublic])
            var random = RandomSource(seed: seed)
            var answers: [Answer] = []
            var (touched, untouched, different) = (0, 0, 0)
            try await fixture.write(seed: seed &+ 900, steps: 60, reviewing: seed % 2 == 0) { head in
                guard head > 10, random.isTrue(oneIn: 8) else { return }
                try await fixture.follow([.accounts, .taxa, .sightingsPublic])
                for answer in answers {
                    let now = PublicMoment(
                        known: answer.moment.known, shown: head, guarded: answer.moment.guarded,
                        settled: Int64(random.int(in: Int(answer.moment.settled)...Int(head))))
                    let touch = try await RestrictionQueries(fixture.pool).touch(
                        answer.selection.selection, from: answer.moment, to: now)
                    let records = try await Self.records(fixture, answer.selection, now)
                    if records != answer.records {
                        different += 1
                        let missed = Set(records).symmetricDifference(answer.records).sorted()
                        #expect(
                            touch.isTouched || touch.isUnclear,
                            "\(answer.moment) to \(now): \(missed.joined(separator: "\n"))")
                    }
                    let happened = try await RestrictionQueries(fixture.pool).happened(
                        in: RestrictionQueries.Span(from: answer.moment, to: now))
                    #expect(happened || !touch.isTouched && !touch.isUnclear)
                    if touch.isTouched { touched += 1 } else if !touch.isUnclear { untouched += 1 }
                }
                let known = Int64(random.int(in: 5...Int(head)))
                let settled = Int64(random.int(in: 1...Int(head)))
                let moment = PublicMoment(
                    known: known, shown: head, guarded: Int64(random.int(in: 1...Int(known))), settled: settled)
                let selection = random.element(of: Choice.allCases)
                answers.append(
                    Answer(
                        selection: selection, moment: moment,
                        records: try await Self.records(fixture, selection, moment)))
            }
            // The history of the first seed has both.
            #expect(touched > 0 && different > 0 || seed != 1)
            #expect(touched + untouched > 0 || !RandomSource.isFixed(seed))
        }
    }

    @Test func `what does not touch a record touches no answer without it`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.accounts, .taxa, .sightingsPublic])
            let (observer, taxon, other) = (FixtureLog.number(1), FixtureLog.number(20), FixtureLog.number(21))
            let (kept, narrowed) = (FixtureLog.number(60), FixtureLog.number(61))
            var writer = LogWriter(fixture.owner)
            try await writer.append([
                GeneratedEvent(observer, "account", "AccountRegistered", ["observer": .id(FixtureLog.number(2))]),
                Sightings.taxon(taxon), Sightings.taxon(other),
                Sightings.submitted(kept, by: observer, taxon: taxon),
                Sightings.submitted(narrowed, by: observer, taxon: other),
                Sightings.submitted(by: observer, taxon: taxon, geoprivacy: "private"),
            ])
            let known = writer.head
            func touch(_ taxon: UUID) async throws -> RestrictionQueries.Touch {
                try await fixture.follow([.accounts, .taxa, .sightingsPublic])
                return try await RestrictionQueries(fixture.pool).touch(
                    RecordSelection(RecordFilter(taxon: TaxonID(taxon))),
                    from: PublicMoment(known: known, shown: known, guarded: 0, settled: 0),
                    to: PublicMoment(known: known, shown: writer.head, guarded: 0, settled: 0))
            }
            // Knowledge touches nothing.
            try await writer.append([Sightings.corrected(kept, ["count": 3])])
            #expect(try await !touch(taxon).isTouched)
            try await writer.append([
                GeneratedEvent(
                    narrowed, "sighting", "SightingGeoprivacyNarrowed", ["geoprivacy": "obscured"])
            ])
            #expect(try await !touch(taxon).isTouched)
            #expect(try await touch(other).isTouched)
            try await writer.append([
                GeneratedEvent(observer, "account", "AccountErased", ["sightings": "keep"])
            ])
            #expect(try await touch(taxon).isTouched)
            #expect(try await !touch(taxon).isUnclear)
        }
    }

    @Test func `notes and names touch no table of figures, and all else that it counts does`() async throws {
        let models: [ReadModel] = [.accounts, .taxa, .datasets, .sightingsPublic]
        try await ModelFixture.run { fixture in
            try await fixture.install(models)
            let (observer, sighting) = (FixtureLog.number(1), FixtureLog.number(60))
            let (species, taxon) = (FixtureLog.number(20), FixtureLog.number(21))
            var writer = LogWriter(fixture.owner)
            try await writer.append([
                GeneratedEvent(
                    observer, "account", "AccountRegistered",
                    ["observer": .id(FixtureLog.number(2)), "attribution": "displayName"]),
                Sightings.taxon(species),
                // A table goes by the kind of the species.
                Sightings.taxon(taxon, parent: species, kind: "mammal", rank: "subspecies"),
                Sightings.submitted(sighting, by: observer, taxon: taxon),
                Sightings.corrected(sighting, ["content": .array(["notes"])]),
                GeneratedEvent(sighting, "sighting", "SightingApproved", ["moderator": .id(FixtureLog.number(3))]),
            ])
            let known = writer.head
            let table = RecordSelection(ranges: BulkQuery(filter: RecordFilter(kind: .bird)), RangeTerms())
            func isTouched(_ selection: RecordSelection, by event: GeneratedEvent) async throws -> Bool {
                let before = writer.head
                try await writer.append([event])
                try await fixture.follow(models)
                return try await RestrictionQueries(fixture.pool).touch(
                    selection, from: PublicMoment(known: known, shown: before, guarded: 0, settled: 0),
                    to: PublicMoment(known: known, shown: writer.head, guarded: 0, settled: 0)
                ).isTouched
            }
            let hidden = GeneratedEvent(
                sighting, "sighting", "SightingHidden", ["hiding": "other", "hidden": .array(["notes"])])
            let concealed = GeneratedEvent(observer, "account", "AccountNarrowed", ["attribution": "anonymous"])
            let forgotten = GeneratedEvent(observer, "account", "AccountNamesForgotten", [:])
            #expect(try await !isTouched(table, by: hidden))
            #expect(try await !isTouched(table, by: concealed))
            #expect(try await !isTouched(table, by: forgotten))
            #expect(try await isTouched(RecordSelection(BulkQuery()), by: hidden))
            #expect(try await isTouched(RecordSelection(BulkQuery()), by: forgotten))
            let narrowed = GeneratedEvent(
                sighting, "sighting", "SightingGeoprivacyNarrowed", ["geoprivacy": "obscured"])
            #expect(try await isTouched(table, by: narrowed))
        }
    }

    /// A private record is in the answer from the end of its month; until then no answer has it.
    @Test func `a month's turn touches the answers that get a record by it`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.accounts, .taxa, .sightingsPublic])
            let (observer, sighting) = (FixtureLog.number(1), FixtureLog.number(60))
            var writer = LogWriter(fixture.owner)
            try await writer.append([
                GeneratedEvent(observer, "account", "AccountRegistered", ["observer": .id(FixtureLog.number(2))]),
                Sightings.submitted(sighting, by: observer),
            ])
            let known = writer.head
            try await writer.append([
                GeneratedEvent(sighting, "sighting", "SightingGeoprivacyNarrowed", ["geoprivacy": "private"])
            ])
            let narrowed = writer.head
            try await writer.append([Sightings.submitted(by: observer), Sightings.submitted(by: observer)])
            try await fixture.follow([.accounts, .taxa, .sightingsPublic])
            func isTouched(from first: (Int64, Int64), to second: (Int64, Int64)) async throws -> Bool {
                func moment(_ shown: Int64, _ settled: Int64) -> PublicMoment {
                    PublicMoment(known: known, shown: shown, guarded: known, settled: settled)
                }
                return try await RestrictionQueries(fixture.pool).touch(
                    RecordSelection(RecordFilter()), from: moment(first.0, first.1), to: moment(second.0, second.1)
                ).isTouched
            }
            #expect(try await isTouched(from: (known, known), to: (narrowed, known)))
            #expect(try await !isTouched(from: (narrowed, known), to: (writer.head, known)))
            #expect(try await isTouched(from: (narrowed, known), to: (writer.head, narrowed)))
            #expect(try await !isTouched(from: (writer.head, narrowed), to: (writer.head, writer.head)))
        }
    }

    /// The records of an answer with all that it shows of them, in the order of their ids.
    private static func records(
        _ fixture: ModelFixture, _ choice: Choice, _ moment: PublicMoment
    ) async throws -> [String] {
        let accounts: SQL = "\(identifier: ReadModel.accounts.schema).accounts"
        let shown: SQL = """
            (s.content and \(fragment: PublicSightingQueries.isHidden(.notes, asOf: moment))) as hidden,
            (select concat_ws(' ', least(a.names_from, \(moment.known) + 1),
                              \(fragment: Publicity.name.isShown(of: "a.id", asOf: moment)))
               from \(fragment: accounts) a where a.observer = s.observer) as credit,
            (select string_agg(p.id::text || ' ' || p.sequence, ', ' order by p.id)
               from (select s.id as record) r
              cross join lateral (
                select s.* from \(fragment: PublicPhotoQueries.table)
                 where s.record = r.record and not s.guarded and \(fragment: moment.photoCondition)) p) as photos
            """
        let ids = try await fixture.pool.query(
            "select distinct id from \(identifier: ReadModel.sightingsPublic.schema).records order by id")
        var records: [String] = []
        for id in ids.rows {
            let found = try await PublicSightingQueries(fixture.pool).sighting(
                SightingID(try id.decode("id")), asOf: moment, and: shown)
            guard let found, found.sighting.kind == .record, choice.holds(found.sighting) else { continue }
            let hidden: Bool = try found.row.decode("hidden")
            let credit: String? = try found.row.decode("credit")
            let photos: String? = try found.row.decode("photos")
            records.append("\(SeenSighting(found.sighting)) \(hidden) \(credit ?? "") \(photos ?? "")")
        }
        return records
    }
}
