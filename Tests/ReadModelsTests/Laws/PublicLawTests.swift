import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// The public view at two positions: what was known at the first, under the restrictions up to the second.
struct PublicLawTests {
    @Test(arguments: RandomSource.seeds(4))
    func `rows are what the definitions say`(seed: UInt64) async throws {
        try await Self.run(seed) { fixture, oracle, moments in
            let compared = try await Self.compare(fixture, oracle, moments)
            #expect(compared > 50 || !RandomSource.isFixed(seed))
        }
    }

    @Test func `a rise that waited for a release counts for what was known before it`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            let (taxon, sighting) = (FixtureLog.number(20), FixtureLog.number(60))
            var writer = LogWriter(fixture.owner)
            try await writer.append([
                Sightings.taxon(taxon), Sightings.submitted(sighting, by: FixtureLog.number(1), taxon: taxon),
                Sightings.withdrawn(sighting, "privacy"),
                GeneratedEvent(taxon, "taxon", "TaxonSensitivitySet", ["category": .number(2)]),
                GeneratedEvent(sighting, "sighting", "SightingReleased", ["moderator": .id(FixtureLog.number(2))]),
            ])
            try await fixture.follow([.sightingsPublic])
            let head = writer.head
            let moments = (2...head).flatMap { known in
                (known...head).map { PublicMoment(known: known, shown: $0) }
            }
            let oracle = try PublicOracle(try await fixture.events())
            #expect(try await Self.compare(fixture, oracle, moments) == moments.count)
        }
    }

    /// Compares all rows with the definitions.
    /// - Returns: how many sightings were seen.
    private static func compare(
        _ fixture: ModelFixture, _ oracle: PublicOracle, _ moments: [PublicMoment]
    ) async throws -> Int {
        var compared = 0
        for moment in moments {
            let rows = try await fixture.publicRows(at: moment)
            var found: [SightingID: SeenSighting] = [:]
            for row in rows {
                #expect(found.updateValue(SeenSighting(row), forKey: row.id) == nil, "two rows of one id")
            }
            for stream in oracle.streams.keys {
                guard let expected = try oracle.view(stream, known: moment.known, shown: moment.shown) else {
                    continue
                }
                let row = found.removeValue(forKey: expected.id)
                #expect(row == expected, "\(moment)\n\(oracle.events(of: stream))")
                compared += 1
            }
            // All others are ids that are no longer public.
            #expect(found.values.allSatisfy { $0.kind == .gone }, "\(moment)")
        }
        return compared
    }

    /// 1…P followed by nothing but what restricts in P+1…R.
    @Test(arguments: RandomSource.seeds(2))
    func `only restrictions act backwards`(seed: UInt64) async throws {
        try await Self.run(seed &+ 50) { fixture, oracle, moments in
            let events = try await fixture.events()
            for moment in moments.prefix(3) {
                let rows = try await fixture.publicRows(at: moment)
                let totals = try await fixture.withheld(at: moment)
                let (replayed, count) = try Restrictions(events, oracle).replay(moment)
                try await ModelFixture.run { other in
                    var writer = LogWriter(other.owner)
                    try await writer.append(replayed.map(\.0), nonces: replayed.map(\.1))
                    try await other.install([.sightingsPublic])
                    try await other.follow([.sightingsPublic])
                    let now = PublicMoment(known: Int64(count), shown: Int64(count))
                    let replayedRows = try await other.publicRows(at: now)
                    let (live, again) = (Set(rows.map(SeenSighting.init)), Set(replayedRows.map(SeenSighting.init)))
                    #expect(live.subtracting(again).isEmpty && again.subtracting(live).isEmpty, "\(moment)")
                    #expect(try await other.withheld(at: now) == totals)
                }
            }
        }
    }

    /// A guarded record is shown as of the last month that is over, once what guards it lies in such a month too.
    @Test(arguments: RandomSource.seeds(2))
    func `guarded records move with the months, and every sighting has one row`(seed: UInt64) async throws {
        try await Self.run(seed &+ 80) { fixture, oracle, moments in
            var delayed = 0
            for moment in moments.prefix(8) {
                let settled = max(1, moment.shown - 12)
                let moment = PublicMoment(
                    known: moment.known, shown: moment.shown, guarded: moment.known - 15, settled: settled)
                var expected: Set<SeenSighting> = []
                for stream in oracle.streams.keys {
                    guard let seen = try oracle.view(stream, at: moment), seen.kind != .gone else { continue }
                    expected.insert(seen)
                    let now = try oracle.view(stream, known: moment.known, shown: moment.shown)
                    delayed += now == seen ? 0 : 1
                }
                let rows = try await fixture.publicRows(at: moment).filter { $0.kind != .gone }
                let found = Set(rows.map(SeenSighting.init))
                #expect(found.subtracting(expected).isEmpty && expected.subtracting(found).isEmpty, "\(moment)")
                #expect(rows.count == expected.count, "\(moment)")
            }
            #expect(delayed > 0 || !RandomSource.isFixed(seed))
        }
    }

    /// No row of the public table holds more than may be shown, whatever moment it belongs to.
    @Test(arguments: RandomSource.seeds(2))
    func `no column is exact`(seed: UInt64) async throws {
        try await Self.run(seed &+ 20) { fixture, _, _ in
            let found = try await fixture.pool.query(
                """
                select id::text || ' ' || kind as row from \(identifier: ReadModel.sightingsPublic.schema).records r
                 where sensitivity = 1
                    or cell is not null and (scale(latitude::numeric) > cell + 1 or scale(longitude::numeric) > cell + 1
                                             or uncertainty is null or uncertainty < 50 / 10 ^ (cell - 1))
                    or guarded and (observer is not null or version is not null or recorded_at is not null
                                    or submitted_at is not null or content or observed_from is not null
                                    or count is not null or confidence is not null or protocol is not null
                                    or uncertainty > 8000
                                    or length(observed) > 7 or extract(day from local_from) <> 1
                                    or latitude is not null and cell is distinct from 1)
                    or not guarded and count_range is not null
                    or kind = 'record' and guarded <> (sensitivity is not distinct from 2 or geoprivacy = 'private')
                    or kind = 'record' and (sensitivity is not null or geoprivacy <> 'open')
                       <> exists (select from \(identifier: ReadModel.sightingsPublic.schema).origins o
                                   where o.id = r.id)
                    or (sensitivity = 3 or geoprivacy = 'obscured') and length(observed) > 10
                    or sensitivity is not null and latitude is not null and cell > sensitivity - 1
                    or geoprivacy = 'obscured' and cell is distinct from 1
                    or geoprivacy = 'private' \
                and coalesce(latitude::text, uncertainty::text, state, country) is not null
                    or kind <> 'record' and coalesce(latitude::text, observer::text, state, count::text) is not null
                """)
            #expect(try found.rows.map { try $0.decode("row", as: String.self) } == [])
        }
    }

    private static func run(
        _ seed: UInt64, _ body: @Sendable (ModelFixture, PublicOracle, [PublicMoment]) async throws -> Void
    ) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            try await fixture.write(seed: seed, steps: 80)
            try await fixture.follow([.sightingsPublic])
            let head = Int(try await LogOrigin.read(fixture.pool).position)
            var random = RandomSource(seed: seed)
            let moments = (0..<15).map { _ in
                let known = random.int(in: 1...head)
                return PublicMoment(
                    known: Int64(known), shown: Int64(random.element(of: [known, head, random.int(in: known...head)])))
            }
            try await body(fixture, try PublicOracle(try await fixture.events()), moments)
        }
    }
}

extension ModelFixture {
    func publicRows(at moment: PublicMoment) async throws -> [PublicSighting] {
        let ids = try await pool.query(
            "select distinct id from \(identifier: ReadModel.sightingsPublic.schema).records order by id")
        var rows: [PublicSighting] = []
        for id in ids.rows {
            let sighting = SightingID(try id.decode("id"))
            let found = try await PublicSightingQueries(pool).sighting(sighting, asOf: moment)
            if let found { rows.append(found.sighting) }
        }
        return rows
    }

    /// All that is counted of category 1, the counts below three included.
    func withheld(at moment: PublicMoment) async throws -> [String] {
        try await pool.query(
            """
            select concat_ws(' ', taxon, coalesce(country, '-'), year, count(*)) as total
              from \(identifier: ReadModel.sightingsPublic.schema).withheld
             where valid @> \(moment.known) and shown @> \(moment.shown)
             group by taxon, country, year order by 1
            """
        ).rows.map { try $0.decode("total") }
    }
}
