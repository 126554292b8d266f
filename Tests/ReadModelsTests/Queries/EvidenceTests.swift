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
            try await fixture.install([.sightingsExact])
            var random = RandomSource(seed: 10)
            for number in 0..<300 {
                let tiny = number < 4 ? [-1e-170, 1e-300, -1e-9, .leastNonzeroMagnitude][number] : nil
                let place = try Coordinate(
                    latitude: tiny ?? Double(random.int(in: -900_000...900_000)) / 10_000,
                    longitude: Double(random.int(in: -1_800_000...1_800_000)) / 10_000)
                let schema = ReadModel.sightingsExact.schema
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
            #expect(try await queries.evidence(for: asked).values.allSatisfy { !$0.isAtMargin })

            let more = (19..<41).map { record(latitude: 40 + Double($0) / 10) }
            try await writer.append(more + more.map(approved))
            try await fixture.follow(Self.models)
            let found = try await queries.evidence(for: asked + accepted.map { SightingID($0.stream) })
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
            let none = try #require(try await queries.evidence(for: [id])[id])
            #expect(none.acceptedRecords == 0 && none.nearestMetres == nil && none.latitudePercentile == nil)

            try await writer.append([
                approved(near), approved(far),
                GeneratedEvent(
                    rejected.stream, "sighting", "SightingRejected",
                    ["moderator": .id(UUID()), "reasons": .array(["wrong-place"])]),
            ])
            try await fixture.follow(Self.models)
            let evidence = try #require(try await queries.evidence(for: [id])[id])
            #expect(evidence.acceptedRecords == 2 && evidence.latitudePercentile == 50)
            #expect(evidence.dayOfYearPercentile == 50)
            #expect(evidence.observerApproved == 1 && evidence.observerRejected == 1)
            // 0.3 degrees of latitude at 45 degrees.
            #expect(abs((evidence.nearestMetres ?? 0) - 33_340) < 20)
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
                let evidence = try #require(try await queries.evidence(for: [id])[id])
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
            let evidence = try await EvidenceQueries(fixture.pool).evidence(for: ids)
            let schema = ReadModel.sightingsExact.schema
            let expected = try await fixture.pool.query(
                """
                select a.id, min(ST_Distance(ST_Point(a.longitude, a.latitude, 4326)::geography,
                                             ST_Point(s.longitude, s.latitude, 4326)::geography)) as nearest,
                       count(*) filter (where \(identifier: schema).margin_row(s.latitude)
                                              < \(identifier: schema).margin_row(a.latitude)) as below
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
                #expect(try #require(found.nearestMetres) <= nearest * 1.02 + 1)
                #expect(found.latitudePercentile == (Double(below) * 1_000 / 150).rounded() / 10)
            }
        }
    }
}
