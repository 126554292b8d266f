import Domain
import EventLog
import FoundationEssentials
import Postgres
import TestRandom
import TestSupport
import Testing

@testable import ReadModels

struct RecordFilterConditionTests {
    private static let models: [ReadModel] = [.taxa, .photos, .sightingsExact, .sightingsPublic]

    /// The expected rows are found by comparing every row with the filter.
    @Test(arguments: RandomSource.seeds(2))
    func `a filter finds the rows that meet it`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            try await fixture.write(seed: seed, steps: 150, redacting: false, reviewing: true)
            try await fixture.follow(Self.models)
            let head = try await LogOrigin.read(fixture.pool).position
            let taxa = try await FilteredTaxa(fixture, asOf: head)
            var random = RandomSource(seed: seed)
            var narrowing: Set<RecordFilter.Member> = []
            for table in [FilteredTable.exact, .records(PublicMoment(known: head, shown: head))] {
                let rows = try await table.rows(fixture)
                let alone = RecordFilter.Member.allCases.flatMap { Array(repeating: [$0], count: 8) }
                let together = (0..<40).map { _ in
                    RecordFilter.Member.allCases.filter { _ in random.isTrue(oneIn: 3) }
                }
                for members in alone + together {
                    let filter = try random.element(of: rows).filter(members, taxa, &random)
                    let expected = rows.filter { $0.meets(filter, taxa) }.map(\.id).sorted()
                    #expect(try await table.ids(meeting: filter, fixture) == expected, "\(filter.canonical)")
                    if members.count == 1, !expected.isEmpty, expected.count < rows.count {
                        narrowing.formUnion(members)
                    }
                }
            }
            #expect(narrowing == RecordFilter.Member.all || !RandomSource.isFixed(seed))
        }
    }

    /// A guarded record shows its month, its cell, and the areas that contain the whole cell.
    @Test func `no member finds a guarded record by what it hides`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let (taxon, id, photo, observer) = (UUID(), UUID(), UUID(), UUID())
            var reviews = RandomReviews(random: RandomSource(seed: 1))
            var writer = LogWriter(fixture.owner)
            try await writer.append([
                Sightings.taxon(taxon),
                Sightings.submitted(id, by: observer, taxon: taxon, day: "2026-05-10", sensitivity: 2),
                Sightings.corrected(
                    id,
                    [
                        "latitude": 47.2601, "longitude": -122.4401, "uncertaintyMetres": 10,
                        "place": [
                            "state": "US-WA", "region": "pacific-northwest", "country": "US", "basis": "inside",
                            "polygons": "dcw-1m-v1",
                        ],
                    ]),
                reviews.upload(photo, to: id, by: observer, ordinal: 0),
                GeneratedEvent(photo, "photo", "PhotoApproved", ["moderator": .id(UUID())]),
            ])
            try await fixture.follow(Self.models)
            let records = FilteredTable.records(PublicMoment(known: writer.head, shown: writer.head))
            let filters = try Self.filters(TaxonID(taxon))
            #expect(Set(filters.map(\.member)) == RecordFilter.Member.all)
            for (member, shown, hidden) in filters {
                if let shown {
                    #expect(try await records.ids(meeting: shown, fixture).count == 1, "\(member)")
                }
                guard let hidden else { continue }
                #expect(try await records.ids(meeting: hidden, fixture) == [], "\(member)")
                #expect(try await FilteredTable.exact.ids(meeting: hidden, fixture) == [id.uuidString], "\(member)")
            }
        }
    }

    /// Every member, with a filter that the record's public value meets, and one that only its true value meets.
    private static func filters(
        _ taxon: TaxonID
    ) throws -> [(member: RecordFilter.Member, shown: RecordFilter?, hidden: RecordFilter?)] {
        let (first, day, last) = (
            try CivilDate("2026-05-01"), try CivilDate("2026-05-10"), try CivilDate("2026-05-31")
        )
        return [
            (.taxon, RecordFilter(taxon: taxon), nil), (.kind, RecordFilter(kind: .bird), nil),
            (.region, nil, RecordFilter(region: try RegionCode("pacific-northwest"))),
            (.state, nil, RecordFilter(state: try StateCode("US-WA"))),
            (.country, nil, RecordFilter(country: try CountryCode("US"))),
            (
                .box, RecordFilter(box: try BoundingBox("-122.4501,47.2499,-122.4499,47.2501")),
                RecordFilter(box: try BoundingBox("-122.441,47.26,-122.44,47.261"))
            ),
            (.from, RecordFilter(from: first), RecordFilter(from: day)),
            (.to, RecordFilter(to: last), RecordFilter(to: day)),
            (.statuses, RecordFilter(statuses: [.pending]), nil),
            (
                .maxUncertainty, RecordFilter(maxUncertainty: try UncertaintyMetres(10_000)),
                RecordFilter(maxUncertainty: try UncertaintyMetres(100))
            ),
            (.minConfidence, nil, RecordFilter(minConfidence: try Confidence(1))),
            (.hasPhoto, RecordFilter(hasPhoto: false), RecordFilter(hasPhoto: true)),
            (.captive, RecordFilter(captive: false), nil),
            // Only imported records have a dataset, and it is public.
            (.dataset, RecordFilter(dataset: DatasetChoice.none), nil),
        ]
    }
}
