import Domain
import EventLog
import FoundationEssentials
import Postgres
import TestRandom
import TestSupport
import Testing

@testable import ReadModels

/// The species of regions, against a scan of all records with the rules of the domain.
struct RegionQueriesTests {
    private static let models: [ReadModel] = [
        .accounts, .taxa, .datasets, .photos, .sightingsExact, .sightingsPublic,
    ]

    @Test(arguments: RandomSource.seeds(3))
    func `species have the records that the rules of the domain let count`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            try await fixture.write(seed: seed, steps: 150, reviewing: true)
            try await fixture.follow(Self.models)
            let head = try await LogOrigin.read(fixture.pool).position
            var random = RandomSource(seed: seed)
            for known in [head, Int64(random.int(in: Int(head / 2)...Int(head)))] {
                let moment = PublicMoment(known: known, shown: head)
                let rows = try await FilteredTable.records(moment).rows(fixture)
                let taxa = try await FilteredTaxa(fixture, asOf: known)
                let facts = try await RangeFacts.all(moment, fixture)
                let placed = rows.filter { $0.region != nil }
                guard !placed.isEmpty else { continue }
                for _ in 0..<30 {
                    let row = random.element(of: placed)
                    let members = [RecordFilter.Member.kind, .from, .to].filter { _ in random.isTrue(oneIn: 3) }
                    let filter = try row.filter(members, taxa, &random)
                    let region = RegionCode(unchecked: try #require(row.region))
                    try await Self.expectSpecies(.species(of: region, filter), rows, facts, taxa, moment, fixture)
                    try await Self.expectRanges(
                        .ranges(in: region, filter), random.element(of: RangeEnd.allCases), rows, facts, taxa, moment,
                        fixture)
                }
            }
        }
    }

    /// The records that count, by species; all taxa of the history are species.
    private static func counted(
        _ query: RegionQuery, anywhere: Bool = false, _ rows: [FilteredRow], _ facts: [String: RangeFacts],
        _ taxa: FilteredTaxa
    ) throws -> [TaxonID: [FilteredRow]] {
        var filter = query.filter
        if anywhere { filter.region = nil }
        var found: [TaxonID: [FilteredRow]] = [:]
        for row in rows where row.meets(filter, taxa) {
            guard let taxon = row.taxon, taxa.kinds[taxon] != nil else { continue }
            let own = try #require(facts[row.id])
            guard query.rule.reason(against: row.candidate(own, fitsPeriod: true)) == nil else { continue }
            found[TaxonID(taxon), default: []].append(row)
        }
        return found
    }

    private static func expectSpecies(
        _ query: RegionQuery, _ rows: [FilteredRow], _ facts: [String: RangeFacts], _ taxa: FilteredTaxa,
        _ moment: PublicMoment, _ fixture: ModelFixture
    ) async throws {
        let found = try await RegionSpeciesQueries(fixture.pool).species(query, first: 1_000, asOf: moment)
        let expected = try counted(query, rows, facts, taxa)
        #expect(Set(found.map(\.species)) == Set(expected.keys) && found.count == expected.count, "\(query)")
        for species in found {
            let own = expected[species.species] ?? []
            let days = own.filter { $0.first == $0.last }.compactMap(\.first)
            #expect(species.records == own.count, "\(query)")
            #expect(species.firstOn?.description == days.min() && species.lastOn?.description == days.max())
        }
    }

    private static func expectRanges(
        _ query: RegionQuery, _ end: RangeEnd, _ rows: [FilteredRow], _ facts: [String: RangeFacts],
        _ taxa: FilteredTaxa, _ moment: PublicMoment, _ fixture: ModelFixture
    ) async throws {
        let queries = RegionRangeQueries(fixture.pool)
        let all = try await queries.extremes(.init(query, end, limit: 1_000), asOf: moment).items
        let cells = try await queries.cells(of: all.map(\.species), query, asOf: moment)
        let expected = try counted(query, rows, facts, taxa)
        let anywhere = try counted(query, anywhere: true, rows, facts, taxa)
        #expect(Set(all.map(\.species)) == Set(expected.keys) && all.count == expected.count, "\(query)")
        let sign: Double = end == .north ? -1 : 1
        let keys = all.map { ($0.extreme.latitude * sign, $0.species) }
        #expect(keys.elementsEqual(keys.sorted { ($0.0, $0.1) < ($1.0, $1.1) }) { $0 == $1 })
        for item in all {
            let own = try (expected[item.species] ?? []).map {
                RangeRecord(id: try #require(SightingID($0.id.lowercased())), place: try #require($0.place))
            }
            #expect(item.extreme.rounded == ExtremeRecord(of: own, end), "\(query)")
            let here = OccupiedCells(of: own.map(\.place), side: .ten)
            let everywhere = (anywhere[item.species] ?? []).filter { $0.region != query.region.text }
            #expect(OccupiedCells(cells[item.species]?.cells ?? []) == here, "\(query)")
            #expect(cells[item.species]?.records == own.count)
            #expect(
                OccupiedCells(cells[item.species]?.others ?? [])
                    == OccupiedCells(of: everywhere.compactMap(\.place), side: .ten), "\(query)")
        }
        // Page by page it is the same list.
        var (paged, after) = ([RegionExtreme](), RegionRangeQueries.Page.Key?.none)
        repeat {
            let slice = try await queries.extremes(.init(query, end, limit: 1, after: after), asOf: moment)
            paged += slice.items
            after = slice.next
        } while after != nil && paged.count <= all.count
        #expect(paged == all, "\(query)")
    }

    @Test func `a subspecies counts for its species, and a genus for none`() async throws {
        let (genus, wren, western, fox) = (UUID(), UUID(), UUID(), UUID())
        let taxa = [
            Sightings.taxon(genus, rank: "genus"), Sightings.taxon(wren, parent: genus),
            Sightings.taxon(western, parent: wren, rank: "subspecies"), Sightings.taxon(fox, kind: "mammal"),
        ]
        let places: [(UUID, Double, String, String)] = [
            (wren, 47, "2025-06-02", "alaska"), (western, 46, "2025-06-03", "alaska"),
            (western, 45, "2025-06-01", "california"), (genus, 44, "2025-06-01", "alaska"),
            (fox, 48, "2025-06-04", "alaska"),
        ]
        let records = places.map { taxon, latitude, day, region in
            Sightings.submitted(by: UUID(), taxon: taxon, day: day, latitude: latitude, region: region)
        }
        let pending = Sightings.submitted(by: UUID(), taxon: fox, latitude: 30, region: "alaska")
        let approvals = records.map {
            GeneratedEvent($0.stream, "sighting", "SightingApproved", ["moderator": .id(UUID())])
        }
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            try await writer.append(taxa + records + [pending] + approvals)
            try await fixture.follow(Self.models)
            let now = PublicMoment(known: writer.head, shown: writer.head)
            let alaska = RegionCode(unchecked: "alaska")
            let species = try await RegionSpeciesQueries(fixture.pool).species(
                .species(of: alaska, RecordFilter()), first: 10, asOf: now)
            let wrens = try #require(species.first { $0.species == TaxonID(wren) })
            #expect(species.count == 2 && wrens.records == 2)
            #expect(wrens.firstOn?.description == "2025-06-02" && wrens.lastOn?.description == "2025-06-03")
            let queries = RegionRangeQueries(fixture.pool)
            let query = RegionQuery.ranges(in: alaska, RecordFilter())
            let south = try await queries.extremes(.init(query, .south, limit: 10), asOf: now).items
            #expect(south.map(\.species) == [TaxonID(wren), TaxonID(fox)])
            #expect(south.map(\.extreme.latitude) == [46, 48])
            #expect(south.first?.extreme.sighting == SightingID(records[1].stream))
            let cells = try await queries.cells(of: south.map(\.species), query, asOf: now)
            #expect(cells[TaxonID(wren)]?.records == 2 && cells[TaxonID(wren)]?.others.count == 1)
            #expect(cells[TaxonID(fox)]?.others.isEmpty == true)
            let mammals = RegionQuery.ranges(in: alaska, RecordFilter(kind: .mammal))
            let north = try await queries.extremes(.init(mammals, .north, limit: 10), asOf: now).items
            #expect(north.map(\.species) == [TaxonID(fox)])
            // Of a taxon that was not known then, no rank is known either: its records count for no species.
            _ = try await fixture.owner.query(
                "delete from \(identifier: ReadModel.taxa.schema).taxon_states where taxon = \(western)")
            let known = try await queries.extremes(.init(query, .south, limit: 10), asOf: now).items
            #expect(known.map(\.extreme.latitude) == [47, 48])
            let left = try await queries.cells(of: known.map(\.species), query, asOf: now)
            #expect(left[TaxonID(wren)]?.records == 1 && left[TaxonID(wren)]?.others.isEmpty == true)
        }
    }
}
