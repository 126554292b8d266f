import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport
import Testing

/// Which records the choice of targets counts.
struct SeasonQueriesTests {
    private static let models: [ReadModel] = [.sightingsPublic]
    private let week = ISOWeek(of: CivilDate(dayNumber: 20_574))  // 2026-W18
    private let region = "alaska"
    private let taxon = UUID()
    private let account = UUID()
    private let observer = UUID()

    private var registration: GeneratedEvent {
        GeneratedEvent(
            account, "account", "AccountRegistered",
            [
                "licence": "CC-BY-4.0", "geoprivacy": "open", "attribution": "displayName", "observer": .id(observer),
                "roles": .array(["birder"]), "oldEnough": true,
            ])
    }

    private func record(
        day: String = "2025-05-01", geoprivacy: String = "open", sensitivity: Int? = nil, region: String? = "alaska",
        borderRegion: String? = nil
    ) -> GeneratedEvent {
        Sightings.submitted(
            by: account, taxon: taxon, day: day, sensitivity: sensitivity, geoprivacy: geoprivacy, region: region,
            borderRegion: borderRegion)
    }

    private func approved(_ event: GeneratedEvent) -> GeneratedEvent {
        GeneratedEvent(event.stream, "sighting", "SightingApproved", ["moderator": .id(UUID())])
    }

    private func found(_ fixture: ModelFixture, asOf position: Int64) async throws -> [SeasonRecords] {
        try await SeasonQueries(fixture.pool).records(
            of: RegionCode(unchecked: region), in: TargetSeason(of: week), asOf: position)
    }

    @Test func `approved, wild, to the day, in the region and season, not generalised`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let counted = [record(), record(), record(day: "2023-04-20")]
            let others = [
                record(day: "2025-06-01"), record(day: "2026-05-01"), record(day: "2015-05-01"),
                record(region: "hawaii"), record(region: nil), record(geoprivacy: "obscured"),
                record(geoprivacy: "private"), record(sensitivity: 3), record(sensitivity: 4),
            ]
            let captive = record()
            let uncertain = record()
            let month = record()
            let pending = record()
            let accepted = counted + others + [captive, uncertain, month]
            try await writer.append(
                [registration] + accepted + [pending]
                    + [
                        Sightings.corrected(captive.stream, ["captive": true]),
                        Sightings.corrected(uncertain.stream, ["qualifier": "cf"]),
                        Sightings.corrected(
                            month.stream,
                            [
                                "observed": [
                                    "value": "2025-05", "precision": "month", "zone": "UTC",
                                    "from": "2025-05-01T00:00:00Z", "to": "2025-06-01T00:00:00Z",
                                    "localFrom": "2025-05-01", "localTo": "2025-05-31",
                                ]
                            ]),
                    ] + accepted.map(approved))
            try await fixture.follow(Self.models)
            let records = try await found(fixture, asOf: writer.head)
            #expect(
                Set(records) == [
                    SeasonRecords(taxon: TaxonID(taxon), yearsBack: 1, records: 2, observers: [observer]),
                    SeasonRecords(taxon: TaxonID(taxon), yearsBack: 3, records: 1, observers: [observer]),
                ])
        }
    }

    @Test func `records at the border count for either region, generalised ones for neither`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let records = [
                record(region: "hawaii", borderRegion: "alaska"), record(region: "alaska", borderRegion: "hawaii"),
                record(region: "alaska", borderRegion: "alaska"), record(region: "hawaii", borderRegion: "hawaii"),
                record(geoprivacy: "obscured", region: "hawaii", borderRegion: "alaska"),
                record(sensitivity: 4, region: "hawaii", borderRegion: "alaska"),
            ]
            try await writer.append([registration] + records + records.map(approved))
            try await fixture.follow(Self.models)
            #expect(try await found(fixture, asOf: Int64.max).map(\.records) == [3])
            let borders = try await fixture.owner.query(
                """
                select count(*) as named, count(*) filter (where cell is not null) as generalised
                  from \(identifier: ReadModel.sightingsPublic.schema).records where border_region is not null
                   and upper_inf(valid)
                """)
            let row = try #require(borders.first)
            #expect(try row.decode("named", as: Int64.self) == 4)
            #expect(try row.decode("generalised", as: Int64.self) == 0)
        }
    }

    @Test func `as of a position, decisions and restrictions after it do not count`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let (first, second, third) = (record(), record(), record())
            try await writer.append([registration, first, second, third, approved(first), approved(second)])
            let before = writer.head
            try await writer.append([
                approved(third),
                GeneratedEvent(first.stream, "sighting", "SightingGeoprivacyNarrowed", ["geoprivacy": "private"]),
                Sightings.withdrawn(second.stream, "privacy"),
            ])
            try await fixture.follow(Self.models)
            #expect(try await found(fixture, asOf: before).map(\.records) == [2])
            #expect(try await found(fixture, asOf: writer.head).map(\.records) == [1])
            #expect(try await found(fixture, asOf: 4).isEmpty)
        }
    }

    @Test func `observers of datasets are told apart by their recorders`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let (dataset, recorder) = (UUID(), UUID())
            var writer = LogWriter(fixture.owner)
            func imported(_ recorder: UUID?) -> GeneratedEvent {
                var members: [String: JSONText] = [
                    "dataset": .id(dataset), "batch": .id(UUID()), "taxon": .id(taxon), "latitude": 61,
                    "longitude": -150, "captive": false, "occurrence": .text(String(repeating: "ab", count: 16)),
                    "place": ["region": "alaska", "basis": "inside", "polygons": "ne-50m-v1"],
                    "observed": [
                        "value": "2025-05-01", "precision": "day", "zone": "UTC", "from": "2025-05-01T00:00:00Z",
                        "to": "2025-05-02T00:00:00Z", "localFrom": "2025-05-01", "localTo": "2025-05-01",
                    ],
                ]
                members["recorder"] = recorder.map(JSONText.id)
                return GeneratedEvent(UUID(), "sighting", "SightingImported", members)
            }
            try await writer.append([imported(recorder), imported(recorder), imported(nil)])
            try await fixture.follow(Self.models)
            let found = try await found(fixture, asOf: writer.head)
            #expect(found.map(\.records) == [3] && found.first?.observers.count == 2)
            #expect(Set(found.flatMap(\.observers)) == [dataset, recorder])
        }
    }

    @Test func `the taxonomy as of a position`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let (family, other) = (UUID(), UUID())
            try await writer.append([Sightings.taxon(family), Sightings.taxon(taxon, parent: family)])
            let before = writer.head
            try await writer.append([
                Sightings.taxon(other), GeneratedEvent(taxon, "taxon", "TaxonMoved", ["parent": .id(other)]),
                GeneratedEvent(
                    taxon, "taxon", "TaxonSensitivitySet", ["category": 2, "reason": "nests", "source": "a list"]),
            ])
            try await fixture.follow(Self.models)
            let now = [family, other, taxon].map {
                TaxonEntry(id: TaxonID($0), rank: .species, kind: .bird, parent: TaxonID(other), scientificName: "Aus")
            }
            let queries = SeasonQueries(fixture.pool)
            let then = try await queries.taxonomy(asOf: before).applied(to: now)
            #expect(then[2].parent == TaxonID(family) && then[2].sensitivity == nil)
            #expect(then[1] == now[1], "not known then")
            let last = try await queries.taxonomy(asOf: writer.head).applied(to: now)
            #expect(last[2].parent == TaxonID(other) && last[2].sensitivity == .two)
        }
    }
}
