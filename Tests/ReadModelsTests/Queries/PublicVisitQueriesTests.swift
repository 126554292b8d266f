import Domain
import EventLog
import FoundationEssentials
import Postgres
import Testing

@testable import ReadModels

/// Which visits tell the effort behind a range.
struct PublicVisitQueriesTests {
    private static let models: [ReadModel] = [.accounts, .taxa, .datasets, .photos, .sightingsPublic]
    private let observer = UUID()
    private let genus = UUID()
    private let wren = UUID()
    private let subspecies = UUID()
    private let owl = UUID()

    private var start: [GeneratedEvent] {
        [
            GeneratedEvent(
                observer, "account", "AccountRegistered",
                ["observer": .id(UUID()), "roles": .array(["birder"])]),
            Sightings.taxon(genus, rank: "genus"), Sightings.taxon(wren, parent: genus),
            Sightings.taxon(subspecies, parent: wren, rank: "subspecies"), Sightings.taxon(owl),
        ]
    }

    private func visit(_ id: UUID, complete: Bool = true) -> JSONText {
        [
            "id": .id(id), "startedAt": "2025-05-01T06:00:00Z", "minutes": 30,
            "complete": JSONText(booleanLiteral: complete),
        ]
    }

    private func sighting(
        _ visit: JSONText, _ taxon: UUID?, at place: (Double, Double) = (47.25, -122.45), on day: String = "2025-05-01",
        sensitivity: Int? = nil, geoprivacy: String = "open", region: String = "pacific-northwest"
    ) -> GeneratedEvent {
        Sightings.submitted(
            by: observer, taxon: taxon, day: day, latitude: place.0, longitude: place.1, sensitivity: sensitivity,
            geoprivacy: geoprivacy, region: region, visit: visit)
    }

    private func approved(_ event: GeneratedEvent) -> GeneratedEvent {
        GeneratedEvent(event.stream, "sighting", "SightingApproved", ["moderator": .id(UUID())])
    }

    private func found(
        _ fixture: ModelFixture, _ filter: RecordFilter = RecordFilter(), of taxon: UUID? = nil,
        period: RangePeriodKind = .year, region: String? = nil, withPrompted: Bool = false
    ) async throws -> [EffortVisit] {
        try await fixture.follow(Self.models)
        let head = try await LogOrigin.read(fixture.pool).position
        let query = RangeQuery(
            of: TaxonID(taxon ?? wren), filter, period: period, region: region.map { RegionCode(unchecked: $0) },
            withPrompted: withPrompted)
        return try await PublicVisitQueries(fixture.pool)
            .visits(for: query, asOf: PublicMoment(known: head, shown: head))
    }

    @Test func `a complete visit has its list, the cell of most records and the taxon's records`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let (first, second, partial) = (UUID(), UUID(), UUID())
            let wrens = sighting(visit(first), subspecies, at: (48.5, -122.45))
            let records = [
                wrens, sighting(visit(first), owl), sighting(visit(first), owl), sighting(visit(first), genus),
                sighting(visit(first), nil), sighting(visit(second), owl, on: "2024-06-01"),
                sighting(visit(partial, complete: false), wren),
            ]
            try await writer.append(start + records + records.map(approved))
            let visits = try await found(fixture)
            #expect(visits.map(\.id) == visits.map(\.id).sorted() && visits.count == 2)
            let long = try #require(visits.first { $0.listLength == 2 })
            #expect(long.period == .years(from: 2025, to: 2025))
            #expect(long.cell == MarginCell(Coordinate(uncheckedLatitude: 47.25, longitude: -122.45)))
            #expect(
                long.records == [
                    RangeRecord(
                        id: SightingID(wrens.stream), place: Coordinate(uncheckedLatitude: 48.5, longitude: -122.45))
                ])
            let short = try #require(visits.first { $0.listLength == 1 })
            #expect(short.period == .years(from: 2024, to: 2024) && short.records.isEmpty)
            #expect(try await found(fixture, of: owl).map(\.records.count).sorted() == [1, 1])
        }
    }

    @Test func `a visit with a record that is pending, or not of a complete list, is none`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let (mixed, waiting) = (UUID(), UUID())
            let records = [
                sighting(visit(mixed), wren), sighting(visit(mixed, complete: false), owl),
                sighting(visit(waiting), wren),
            ]
            let pending = sighting(visit(waiting), owl)
            try await writer.append(start + records + [pending] + records.map(approved))
            #expect(try await found(fixture).isEmpty)
            let both = RecordFilter(statuses: [.approved, .pending])
            #expect(try await found(fixture, both).map(\.listLength) == [2])
            try await writer.append([approved(pending)])
            #expect(try await found(fixture).map(\.listLength) == [2])
        }
    }

    /// A record of a taxon that has a category is hidden on one visit and would be missing on another.
    @Test func `hidden records and those of sensitive taxa change nothing`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let (open, hidden) = (UUID(), UUID())
            let records = [sighting(visit(open), wren), sighting(visit(open), subspecies)]
            try await writer.append(start + records + records.map(approved))
            let before = try await found(fixture)
            #expect(before.map(\.listLength) == [2])
            let others = [open, hidden].flatMap { id in
                [1, 2, 3, 4].map { sighting(visit(id), wren, at: (20, -100), sensitivity: $0) }
                    + ["obscured", "private"].map { sighting(visit(id), wren, at: (20, -100), geoprivacy: $0) }
                    + [sighting(visit(id, complete: false), owl, geoprivacy: "obscured")]
            }
            try await writer.append(others + others.map(approved))
            #expect(try await found(fixture) == before)
            // Released, they would be exact.
            let released = sighting(visit(open), owl, sensitivity: 4)
            try await writer.append([
                released, approved(released),
                GeneratedEvent(
                    owl, "taxon", "TaxonSensitivitySet",
                    ["category": 4, "reason": "nests", "source": "a list"]),
                GeneratedEvent(owl, "taxon", "TaxonSensitivitySet", ["category": .null]),
                GeneratedEvent(
                    released.stream, "sighting", "SightingReleased", ["moderator": .id(UUID()), "released": .null]),
            ])
            #expect(try await found(fixture) == before)
            // It is in no visit, but must not be taken for absent.
            #expect(try await found(fixture, of: owl).isEmpty)
            try await writer.append([GeneratedEvent(observer, "account", "AccountErased", ["sightings": "keep"])])
            #expect(try await found(fixture).isEmpty)
        }
    }

    @Test func `visits stay whole, and belong where most of their records lie`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let (border, halves) = (UUID(), UUID())
            let records = [
                sighting(visit(border), wren), sighting(visit(border), subspecies),
                sighting(visit(border), owl, at: (41.5, -122.45), region: "california"),
                sighting(visit(halves), wren, on: "2024-12-31"),
                sighting(visit(halves), owl, on: "2025-01-01", region: "california"),
            ]
            try await writer.append(start + records + records.map(approved))
            let north = try await found(fixture, region: "pacific-northwest")
            #expect(north.map(\.listLength) == [3] && north.first?.records.count == 1)
            #expect(try await found(fixture, region: "california").isEmpty)
            // The days of the other one lie in two years.
            #expect(try await found(fixture).count == 1)
            let box = try BoundingBox(west: -123, south: 47, east: -122, north: 48)
            #expect(try await found(fixture, RecordFilter(box: box)).map(\.listLength) == [3])
            let day = try CivilDate("2025-05-01")
            #expect(try await found(fixture, RecordFilter(from: day, to: day)).map(\.listLength) == [3])
            // A filter of records chooses among those of the taxon only.
            let captive = try await found(fixture, RecordFilter(captive: true))
            #expect(captive.map(\.listLength) == [3] && captive.first?.records == [])
        }
    }

    @Test func `a prompted record is none that counts`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let event = sighting(visit(UUID()), wren)
            let prompted = GeneratedEvent(
                event.stream, event.kind, event.type,
                payload: String(event.payload.dropLast()) + #","promptedBy":"\#(UUID().uuidString.lowercased())"}"#)
            try await writer.append(start + [prompted, approved(prompted)])
            #expect(try await found(fixture).map(\.records.count) == [0])
            #expect(try await found(fixture, withPrompted: true).map(\.records.count) == [1])
            let head = try await LogOrigin.read(fixture.pool).position
            let moment = PublicMoment(known: head, shown: head)
            let counts = try await RangeQueries(fixture.pool)
                .counts(for: RangeQuery(of: TaxonID(wren), RecordFilter()), asOf: moment)
            #expect(counts.groups.map(\.reason) == [.prompted] && counts.observers.isEmpty)
        }
    }
}
