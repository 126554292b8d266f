import Domain
import EventLog
import FoundationEssentials
import Postgres
import TestRandom
import TestSupport
import Testing

@testable import ReadModels

struct RecordFilterConditionTests {
    private static let models: [ReadModel] = [.taxa, .sightingsExact, .sightingsPublic]

    /// The expected rows are found by comparing every row with the filter.
    @Test(arguments: RandomSource.seeds(2))
    func `a filter finds the rows that meet it`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            try await fixture.write(seed: seed, steps: 100, redacting: false)
            try await fixture.follow(Self.models)
            let head = try await LogOrigin.read(fixture.pool).position
            let taxa = try await Taxa(fixture)
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
            let (taxon, id) = (UUID(), UUID())
            var writer = LogWriter(fixture.owner)
            try await writer.append([
                Sightings.taxon(taxon),
                Sightings.submitted(id, by: UUID(), taxon: taxon, day: "2026-05-10", sensitivity: 2),
                Sightings.corrected(
                    id,
                    [
                        "latitude": 47.2601, "longitude": -122.4401, "uncertaintyMetres": 10,
                        "place": [
                            "state": "US-WA", "region": "pacific-northwest", "country": "US", "basis": "inside",
                            "polygons": "dcw-1m-v1",
                        ],
                    ]),
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
            (.captive, RecordFilter(captive: false), nil),
            // Only imported records have a dataset, and it is public.
            (.dataset, nil, nil),
        ]
    }
}

/// A table that filters apply to.
private enum FilteredTable {
    case exact
    case records(PublicMoment)

    private var source: SQL {
        switch self {
        case .exact: "\(identifier: ReadModel.sightingsExact.schema).sightings s where upper_inf(s.valid)"
        case .records(let moment):
            """
            \(identifier: ReadModel.sightingsPublic.schema).records s
             where s.kind = 'record' and \(fragment: moment.condition)
            """
        }
    }

    func rows(_ fixture: ModelFixture) async throws -> [FilteredRow] {
        let result = try await fixture.pool.query(
            """
            select s.id, s.taxon, s.region, s.state, s.country, s.status, s.latitude, s.longitude, s.uncertainty,
                   s.local_from::text as first, s.local_to::text as last, s.captive, s.dataset
              from \(fragment: source)
            """)
        return try result.rows.map { try FilteredRow($0) }
    }

    func ids(meeting filter: RecordFilter, _ fixture: ModelFixture) async throws -> [String] {
        let moment: PublicMoment? = if case .records(let moment) = self { moment } else { nil }
        let result = try await fixture.pool.query(
            "select s.id from \(fragment: source) and \(fragment: filter.condition(asOf: moment))")
        return try result.rows.map { try $0.decode("id", as: UUID.self).uuidString }.sorted()
    }
}

/// The taxonomy as it is now.
private struct Taxa {
    private(set) var kinds: [UUID: String] = [:]
    private var parents: [UUID: UUID] = [:]

    init(_ fixture: ModelFixture) async throws {
        let result = try await fixture.pool.query(
            "select id, kind, parent from \(identifier: ReadModel.taxa.schema).taxa")
        for row in result.rows {
            let id = try row.decode("id", as: UUID.self)
            kinds[id] = try row.decode("kind", as: String?.self)
            parents[id] = try row.decode("parent", as: UUID?.self)
        }
    }

    /// A taxon and its ancestors.
    func line(of taxon: UUID) -> [UUID] {
        var line = [taxon]
        while let parent = line.last.flatMap({ parents[$0] }), !line.contains(parent) { line.append(parent) }
        return line
    }
}

private struct FilteredRow {
    let id: String
    let taxon: UUID?
    let region, state, country, status: String?
    let latitude, longitude, uncertainty: Double?
    /// Local dates.
    let first, last: String?
    let captive: Bool?
    let dataset: UUID?

    init(_ row: PostgresRow) throws {
        id = try row.decode("id", as: UUID.self).uuidString
        taxon = try row.decode("taxon")
        region = try row.decode("region")
        state = try row.decode("state")
        country = try row.decode("country")
        status = try row.decode("status")
        latitude = try row.decode("latitude")
        longitude = try row.decode("longitude")
        uncertainty = try row.decode("uncertainty")
        first = try row.decode("first")
        last = try row.decode("last")
        captive = try row.decode("captive")
        dataset = try row.decode("dataset")
    }

    func meets(_ filter: RecordFilter, _ taxa: Taxa) -> Bool {
        func isMet<Value: Equatable>(_ wanted: Value?, _ value: Value?) -> Bool { wanted == nil || wanted == value }
        let line = taxon.map { taxa.line(of: $0) } ?? []
        let isOfTaxon = filter.taxon.map { line.contains($0.uuid) } ?? true
        let isOfKind = isMet(filter.kind?.rawValue, taxon.flatMap { taxa.kinds[$0] })
        let isThere =
            isMet(filter.region?.text, region) && isMet(filter.state?.text, state)
            && isMet(filter.country?.text, country) && filter.box.map(isInside) ?? true
        // Dates in this form sort like texts.
        let isAfter = filter.from.map { from in first.map { $0 >= from.description } ?? false } ?? true
        let isBefore = filter.to.map { to in last.map { $0 <= to.description } ?? false } ?? true
        let isCertain = filter.maxUncertainty.map { latitude != nil && uncertainty ?? 0 <= $0.value } ?? true
        let isOfStatus = filter.statuses.isEmpty || filter.statuses.contains { $0.rawValue == status }
        return isOfTaxon && isOfKind && isThere && isAfter && isBefore && isCertain && isOfStatus
            && isMet(filter.captive, captive ?? false) && isMet(filter.dataset?.uuid, dataset)
    }

    private func isInside(_ box: BoundingBox) -> Bool {
        guard let latitude, let longitude, (box.south...box.north).contains(latitude) else { return false }
        return box.west <= box.east
            ? (box.west...box.east).contains(longitude) : longitude >= box.west || longitude <= box.east
    }

    /// A filter with some members, each taken from the row's values or chosen at random.
    func filter(
        _ members: [RecordFilter.Member], _ taxa: Taxa, _ random: inout RandomSource
    ) throws -> RecordFilter {
        var filter = RecordFilter()
        for member in members {
            switch member {
            case .taxon:
                if let taxon { filter.taxon = TaxonID(random.element(of: taxa.line(of: taxon))) }
            case .kind: filter.kind = random.element(of: [TaxonKind.bird, .mammal])
            case .region: filter.region = region.map { RegionCode(unchecked: $0) }
            case .state: filter.state = state.map { StateCode(unchecked: $0) }
            case .country: filter.country = country.map { CountryCode(unchecked: $0) }
            case .box: filter.box = try box(width: random.double(in: 0...30))
            case .from: filter.from = try first.map { try CivilDate($0) }
            case .to: filter.to = try last.map { try CivilDate($0) }
            case .statuses:
                let own = status.flatMap { SightingStatus(rawValue: $0) }
                filter.statuses = Set([own, random.element(of: SightingStatus.allCases)].compactMap { $0 })
            case .maxUncertainty: filter.maxUncertainty = try UncertaintyMetres(random.element(of: [1.0, 30, 8_000]))
            case .captive: filter.captive = random.isTrue(oneIn: 2)
            case .dataset: filter.dataset = dataset.map { DatasetID($0) }
            }
        }
        return filter
    }

    /// A box around the place, across the 180th meridian where that is near.
    private func box(width: Double) throws -> BoundingBox {
        guard let latitude, let longitude else { return .world }
        func wrapped(_ degrees: Double) -> Double {
            if degrees > 180 { return degrees - 360 }
            return degrees < -180 ? degrees + 360 : degrees
        }
        return try BoundingBox(
            west: wrapped(longitude - width), south: max(-90, latitude - width), east: wrapped(longitude + width),
            north: min(90, latitude + width))
    }
}
