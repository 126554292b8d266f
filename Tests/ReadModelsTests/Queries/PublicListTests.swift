import Domain
import EventLog
import FoundationEssentials
import Postgres
import TestRandom
import Testing

@testable import ReadModels

/// Lists, counts and maps of public records under random filters, against a scan of all records.
struct PublicListTests {
    private static let models: [ReadModel] = [
        .accounts, .taxa, .datasets, .photos, .sightingsExact, .sightingsPublic,
    ]

    /// Each index that a list may read is chosen by one of these conditions.
    @Test(arguments: RandomSource.seeds(3))
    func `pages have every record that meets a filter once, and counts and maps agree`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            try await fixture.write(seed: seed, steps: 150, reviewing: true)
            try await fixture.follow(Self.models)
            let head = try await LogOrigin.read(fixture.pool).position
            var random = RandomSource(seed: seed)
            var (found, tried): (Set<RecordFilter.Member>, Int) = ([], 0)
            for moment in Self.moments(upTo: head, &random) {
                let table = FilteredTable.records(moment)
                let (rows, taxa) = (try await table.rows(fixture), try await FilteredTaxa(fixture, asOf: moment.known))
                guard !rows.isEmpty else { continue }
                let alone = RecordFilter.Member.allCases.flatMap { Array(repeating: [$0], count: 4) }
                let together = (0..<30).map { _ in
                    RecordFilter.Member.allCases.filter { _ in random.isTrue(oneIn: 4) }
                }
                for members in [[]] + alone + together {
                    let filter = try random.element(of: rows).filter(members, taxa, &random)
                    let expected = rows.filter { $0.meets(filter, taxa) }.sorted(by: FilteredRow.isNewer)
                    let list = try await pages(filter, moment, fixture, &random)
                    #expect(list == expected.map(\.id), "\(filter.canonical)")
                    try await expectCount(filter, expected, moment, fixture)
                    try await expectMap(filter, expected, taxa, moment, fixture)
                    if !expected.isEmpty, members.count == 1 { found.formUnion(members) }
                    tried += expected.isEmpty ? 0 : 1
                }
            }
            #expect((found == RecordFilter.Member.all && tried > 100) || !RandomSource.isFixed(seed))
        }
    }

    /// The present, and some earlier positions under present restrictions.
    private static func moments(upTo head: Int64, _ random: inout RandomSource) -> [PublicMoment] {
        let earlier = (0..<3).map { _ in
            let known = Int64(random.int(in: Int(head / 2)...Int(head)))
            let guarded = Int64(random.int(in: 1...Int(known)))
            return PublicMoment(known: known, shown: head, guarded: guarded, settled: head)
        }
        return [PublicMoment(known: head, shown: head)] + earlier
    }

    /// All pages, one after the other, with pages of any size and with a narrow index used early or late.
    private func pages(
        _ filter: RecordFilter, _ moment: PublicMoment, _ fixture: ModelFixture, _ random: inout RandomSource
    ) async throws -> [String] {
        let (limit, glance) = (random.element(of: [1, 2, 7, 500]), random.element(of: [1, 5, 2_000]))
        var page = PublicListQueries.Page(filter, limit: limit)
        var ids: [String] = []
        repeat {
            let asked = page
            let slice = try await fixture.pool.transaction { connection in
                try await PublicListQueries(connection, glance: glance).page(asked, asOf: moment, and: "null as more")
            }
            #expect(slice.items.count <= limit && (slice.next == nil || slice.items.count == limit))
            ids += slice.items.map(\.sighting.id.uuid.uuidString)
            page.after = slice.next
        } while page.after != nil && ids.count < 10_000
        return ids
    }

    private func expectCount(
        _ filter: RecordFilter, _ expected: [FilteredRow], _ moment: PublicMoment, _ fixture: ModelFixture
    ) async throws {
        let kept = try await fixture.pool.query(
            "select id from \(identifier: ReadModel.datasets.schema).datasets where republish = 'yes'")
        let republished = Set(try kept.rows.map { try $0.decode("id", as: UUID.self) })
        var query = BulkQuery(filter: filter)
        if filter.statuses.isEmpty { query.filter.statuses = Set(SightingStatus.ofRecords) }
        let count = try await PublicSightingQueries(fixture.pool).count(of: query, asOf: moment)
        let licensed = expected.filter { $0.licence != nil }
        #expect(count.matching == expected.count, "\(filter.canonical)")
        #expect(count.leftOut.noLicence == expected.count - licensed.count, "\(filter.canonical)")
        #expect(
            count.leftOut.notRepublished
                == licensed.count { row in row.dataset.map { !republished.contains($0) } ?? false },
            "\(filter.canonical)")
    }

    private func expectMap(
        _ filter: RecordFilter, _ expected: [FilteredRow], _ taxa: FilteredTaxa, _ moment: PublicMoment,
        _ fixture: ModelFixture
    ) async throws {
        guard let taxon = filter.taxon ?? expected.lazy.compactMap(\.taxon).first.map({ TaxonID($0) }) else { return }
        var rest = filter
        rest.taxon = nil
        let map = try await PublicSightingQueries(fixture.pool).map(
            of: taxon, MapView(rest, grid: MapGrid(zoom: 4)), asOf: moment)
        let placed = expected.filter { row in
            row.latitude != nil && row.taxon.map { taxa.line(of: $0).contains(taxon.uuid) } ?? false
        }
        #expect(map.records == placed.count, "\(filter.canonical)")
    }

    @Test func `photos of a taxon, and those of few records, are found without a walk through all photos`() async throws
    {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let taxon = try await plan(RecordFilter(taxon: TaxonID(UUID()), hasPhoto: true), fixture)
            #expect(
                taxon.contains { $0.contains("photos_newest_taxon on") && !$0.contains("never executed") }, "\(taxon)")
            // The table is empty: the other photos of a record may be sought in any index.
            #expect(taxon.allSatisfy { !$0.contains("photos_newest on") || $0.contains("never executed") }, "\(taxon)")
            let state = try await plan(RecordFilter(state: try StateCode("US-WA"), hasPhoto: true), fixture)
            let walk = try #require(state.first { $0.contains("photos_newest on") })
            #expect(walk.contains("never executed"), "\(state)")
            #expect(state.contains { $0.contains("records_newest_state on") && !$0.contains("never executed") })
            let all = try await plan(RecordFilter(hasPhoto: true), fixture)
            #expect(all.contains { $0.contains("photos_newest on") && !$0.contains("never executed") }, "\(all)")
        }
    }

    /// The lines of the plan of a first page.
    private func plan(_ filter: RecordFilter, _ fixture: ModelFixture) async throws -> [String] {
        let page = PublicListQueries.Page(filter, limit: 50)
        return try await fixture.pool.transaction { connection in
            try await PublicListQueries.readInOrder(connection)
            let statement = PublicListStatement(page, PublicMoment(known: 1, shown: 1), glance: 2_000).newest
            let result = try await connection.query(
                "explain (analyze, costs off, timing off, summary off) \(fragment: statement)")
            return try result.rows.map { try $0.decode(0, as: String.self) }
        }
    }

    /// Kinds whose records are few are found taxon by taxon.
    @Test func `a rare kind is found beyond the newest records`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let (bird, frog, toad, old) = (UUID(), UUID(), UUID(), UUID())
            var writer = LogWriter(fixture.owner)
            let newer = (0..<40).map { _ in Sightings.submitted(by: UUID(), taxon: bird, day: "2026-06-02") }
            try await writer.append(
                [Sightings.taxon(bird), Sightings.taxon(frog, kind: "amphibian"), Sightings.taxon(toad)] + newer
                    + [Sightings.submitted(old, by: UUID(), taxon: frog, day: "2020-01-01")])
            try await fixture.follow(Self.models)
            let moment = PublicMoment(known: writer.head, shown: writer.head)
            var random = RandomSource(seed: 1)
            for _ in 0..<6 {
                let filter = RecordFilter(kind: .amphibian)
                #expect(try await pages(filter, moment, fixture, &random) == [old.uuidString])
            }
        }
    }
}

extension FilteredRow {
    /// The order of lists.
    fileprivate static func isNewer(_ one: FilteredRow, _ other: FilteredRow) -> Bool {
        one.last != other.last ? (one.last ?? "") > (other.last ?? "") : one.id < other.id
    }
}
