import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

struct EvidenceTests {
    private static let models: [ReadModel] = [.taxa, .sightingsExact, .sightingsPublic]
    private let taxon = UUID()

    private func record(
        _ id: UUID = UUID(), by observer: UUID = UUID(), day: String = "2026-05-01", latitude: Double,
        longitude: Double = -120
    ) -> GeneratedEvent {
        Sightings.submitted(
            id, by: observer, taxon: taxon, day: day, latitude: latitude, longitude: longitude, region: "rockies")
    }

    private func approved(_ event: GeneratedEvent) -> GeneratedEvent {
        GeneratedEvent(
            event.stream, "sighting", "SightingApproved", ["moderator": .id(UUID()), "decisionBatch": .id(UUID())])
    }

    @Test func `the database computes the same margin cells`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var random = RandomSource(seed: 10)
            for number in 0..<300 {
                let tiny = number < 4 ? [-1e-170, 1e-300, -1e-9, .leastNonzeroMagnitude][number] : nil
                let place = try Coordinate(
                    latitude: tiny ?? Double(random.int(in: -900_000...900_000)) / 10_000,
                    longitude: Double(random.int(in: -1_800_000...1_800_000)) / 10_000)
                let schema = ReadModel.sightingsPublic.schema
                let row = try await fixture.pool.query(
                    """
                    select \(identifier: schema).margin_row(\(place.latitude)) as y,
                           \(identifier: schema).margin_column(\(place.latitude), \(place.longitude)) as x
                    """
                ).onlyRow()
                let cell = MarginCell(place)
                #expect(try row.decode("y") == cell.row && row.decode("x") == cell.column, "\(place)")
            }
        }
    }

    @Test func `the ten extreme cells at either end, from twenty cells on`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            // One cell every 0.1 degrees; the place of each is counted twice.
            let places = (0..<19).map { 40 + Double($0) / 10 }
            let accepted = (places + places).map { record(latitude: $0) }
            let south = record(latitude: 39)
            let middle = record(latitude: 41.05)
            try await writer.append(accepted + [south, middle] + accepted.map(approved))
            try await fixture.follow(Self.models)
            let queries = EvidenceQueries(fixture.pool)
            let asked = [south, middle].map { SightingID($0.stream) }
            #expect(try await queries.evidence(for: asked, settled: 0).values.allSatisfy { !$0.isAtMargin })

            let more = (19..<41).map { record(latitude: 40 + Double($0) / 10) }
            try await writer.append(more + more.map(approved))
            try await fixture.follow(Self.models)
            let found = try await queries.evidence(
                for: asked + accepted.map { SightingID($0.stream) }, settled: 0)
            #expect(found[asked[0]]?.isAtMargin == true && found[asked[1]]?.isAtMargin == false)
            let atMargin = places.indices.map { found[SightingID(accepted[$0].stream)]?.isAtMargin }
            #expect(atMargin == places.indices.map { $0 < 10 })
        }
    }

    @Test func `distances, percentiles and the observer's results`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let observer = UUID()
            var writer = LogWriter(fixture.owner)
            let asked = record(by: observer, day: "2026-05-10", latitude: 45)
            let near = record(by: observer, day: "2026-05-11", latitude: 45.3, longitude: -120 + 1e-13)
            let far = record(day: "2026-02-01", latitude: 30)
            let rejected = record(by: observer, latitude: 45.001)
            try await writer.append([asked, near, far, rejected])
            try await fixture.follow(Self.models)
            let queries = EvidenceQueries(fixture.pool)
            let id = SightingID(asked.stream)
            let none = try #require(try await queries.evidence(for: [id], settled: 0)[id])
            #expect(none.acceptedRecords == 0 && none.nearestWithinMetres == nil && none.latitudePercentile == nil)

            try await writer.append([
                approved(near), approved(far),
                GeneratedEvent(
                    rejected.stream, "sighting", "SightingRejected",
                    ["moderator": .id(UUID()), "reasons": .array(["wrong-place"])]),
            ])
            try await fixture.follow(Self.models)
            let evidence = try #require(try await queries.evidence(for: [id], settled: 0)[id])
            #expect(evidence.acceptedRecords == 2 && evidence.latitudePercentile == 50)
            #expect(evidence.dayOfYearPercentile == 50)
            #expect(evidence.observerApproved == 1 && evidence.observerRejected == 1)
            // 0.3 degrees of latitude at 45 degrees: 33 km.
            #expect(evidence.nearestWithinMetres == 100_000)
        }
    }

    @Test func `a record counts as accepted while it is, where it is`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let (asked, record) = (record(latitude: 45), record(latitude: 44))
            let queries = EvidenceQueries(fixture.pool)
            func found(_ events: [GeneratedEvent]) async throws -> [Double?] {
                try await writer.append(events)
                try await fixture.follow(Self.models)
                let id = SightingID(asked.stream)
                let evidence = try #require(try await queries.evidence(for: [id], settled: 0)[id])
                return [Double(evidence.acceptedRecords), evidence.latitudePercentile, evidence.dayOfYearPercentile]
            }
            #expect(try await found([asked, record, approved(record)]) == [1, 100, 0])
            #expect(try await found([Sightings.corrected(record.stream, ["latitude": 46.0])]) == [1, 0, 0])
            #expect(try await found([Sightings.corrected(record.stream, ["taxon": .id(UUID())])]) == [0, nil, nil])
            let imported = Sightings.imported(into: UUID(), batch: UUID(), taxon: taxon, latitude: 44)
            #expect(try await found([imported]) == [1, 100, 0])
            // Accepted itself, it is not among its own evidence.
            #expect(try await found([approved(asked)]) == [1, 100, 0])
            #expect(try await found([Sightings.withdrawn(imported.stream, "mistake")]) == [0, nil, nil])
        }
    }

    @Test(arguments: RandomSource.seeds(2))
    func `the nearest record is the nearest of all, and percentiles count rows`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var (random, writer) = (RandomSource(seed: seed), LogWriter(fixture.owner))
            // Some close together, some far apart, on both sides of the date line.
            func place() -> GeneratedEvent {
                let spread = random.element(of: [20, 2_000, 200_000])
                let east = 180 + Double(random.int(in: -spread...spread)) / 10_000
                return record(
                    latitude: 50 + Double(random.int(in: -spread...spread)) / 10_000,
                    longitude: east > 180 ? east - 360 : east)
            }
            let (accepted, asked) = ((0..<150).map { _ in place() }, (0..<40).map { _ in place() })
            try await writer.append(accepted + accepted.map(approved) + asked)
            try await fixture.follow(Self.models)
            let ids = asked.map { SightingID($0.stream) }
            let evidence = try await EvidenceQueries(fixture.pool).evidence(for: ids, settled: 0)
            let (schema, margins) = (ReadModel.sightingsExact.schema, ReadModel.sightingsPublic.schema)
            let expected = try await fixture.pool.query(
                """
                select a.id, min(ST_Distance(ST_Point(a.longitude, a.latitude, 4326)::geography,
                                             ST_Point(s.longitude, s.latitude, 4326)::geography)) as nearest,
                       count(*) filter (where \(identifier: margins).margin_row(s.latitude)
                                              < \(identifier: margins).margin_row(a.latitude)) as below
                  from \(identifier: schema).sightings a
                  join \(identifier: schema).sightings s on s.status = 'approved' and upper_inf(s.valid)
                 where a.id = any(\(ids.map(\.uuid)))
                 group by a.id
                """)
            #expect(expected.count == ids.count)
            for row in expected.rows {
                let found = try #require(evidence[SightingID(try row.decode("id", as: UUID.self))])
                let (nearest, below): (Double, Int) = (try row.decode("nearest"), try row.decode("below"))
                // The plane in which boxes are searched is not quite the spheroid.
                let allowed = [nearest, nearest * 1.02 + 1].map { metres in
                    [1_000, 5_000, 25_000, 100_000].first { Double($0) >= metres }
                }
                #expect(allowed.contains(found.nearestWithinMetres), "\(nearest)")
                #expect(found.latitudePercentile == (Double(below) * 1_000 / 150).rounded() / 10)
            }
        }
    }

    /// How a hidden record is evidence: when its month is over, where its cell is, in the middle of the month.
    private struct Hidden {
        var sensitivity: Int?
        var geoprivacy = "open"
        /// Whether everyone sees its cell at once; nil: never.
        let isPublicAtOnce: Bool?

        static let all = [
            Hidden(sensitivity: 3, isPublicAtOnce: true), Hidden(geoprivacy: "obscured", isPublicAtOnce: true),
            Hidden(sensitivity: 2, isPublicAtOnce: false), Hidden(sensitivity: 1, isPublicAtOnce: nil),
            Hidden(geoprivacy: "private", isPublicAtOnce: nil),
        ]
    }

    @Test func `hidden records are evidence as everyone sees them`() async throws {
        for hidden in Hidden.all {
            try await ModelFixture.run { fixture in
                try await fixture.install(Self.models)
                var writer = LogWriter(fixture.owner)
                // Its cell of 0.1 degrees has its middle 5.5 km further north, its cell of 0.01 degrees 500 m.
                let record = Sightings.submitted(
                    by: UUID(), taxon: taxon, day: "2026-05-30", latitude: 45.0001, longitude: -120.05,
                    sensitivity: hidden.sensitivity, geoprivacy: hidden.geoprivacy, region: "rockies")
                let asked = self.record(day: "2026-05-20", latitude: 45.0001, longitude: -120.05)
                try await writer.append([record, approved(record)])
                let settled = writer.head
                try await writer.append([asked])
                try await fixture.follow(Self.models)
                let (queries, id) = (EvidenceQueries(fixture.pool), SightingID(asked.stream))
                for end in [0, settled] {
                    let found = try #require(try await queries.evidence(for: [id], settled: end)[id])
                    let isSeen = hidden.isPublicAtOnce == true || hidden.isPublicAtOnce == false && end > 0
                    let step = hidden.sensitivity == 3 ? 1_000 : 25_000
                    #expect(found.acceptedRecords == (isSeen ? 1 : 0), "\(hidden), \(end)")
                    #expect(found.nearestWithinMetres == (isSeen ? step : nil), "\(hidden), \(end)")
                    let earlier = hidden.isPublicAtOnce == true ? 0.0 : 100
                    #expect(found.dayOfYearPercentile == (isSeen ? earlier : nil), "\(hidden), \(end)")
                }
                let ahead = try await queries.evidence(for: [id], settled: writer.head + 1)
                #expect(ahead.isEmpty, "a month is over that the model does not have yet")
                let itself = try await queries.evidence(for: [SightingID(record.stream)], settled: settled)
                #expect(itself.values.first?.acceptedRecords == 0)
            }
        }
    }

    @Test func `guarded cells count for the margin when their month is over`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let open = (0..<12).map { record(latitude: 45 + Double($0) / 10) }
            let guarded = (0..<8).map {
                Sightings.submitted(
                    by: UUID(), taxon: taxon, latitude: 40.05 + Double($0) / 10, longitude: -120, sensitivity: 2,
                    region: "rockies", regionCell: 1)
            }
            let asked = record(latitude: 42)
            try await writer.append((open + guarded).flatMap { [$0, approved($0)] })
            let settled = writer.head
            try await writer.append([asked])
            try await fixture.follow(Self.models)
            let (queries, id) = (EvidenceQueries(fixture.pool), SightingID(asked.stream))
            #expect(try await queries.evidence(for: [id], settled: 0)[id]?.isAtMargin == false)
            #expect(try await queries.evidence(for: [id], settled: settled)[id]?.isAtMargin == true)
        }
    }

    @Test func `a hidden record counts for its observer's other hidden ones only`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let observer = UUID()
            let wishes = ["open", "private", "private", "open"]
            let records = wishes.map {
                Sightings.submitted(by: observer, taxon: taxon, latitude: 45, geoprivacy: $0)
            }
            try await writer.append(records + records.dropFirst().map(approved))
            try await fixture.follow(Self.models)
            let evidence = try await EvidenceQueries(fixture.pool)
                .evidence(for: records.map { SightingID($0.stream) }, settled: 0)
            #expect(records.map { evidence[SightingID($0.stream)]?.observerApproved } == [1, 2, 2, 0])
        }
    }
}
