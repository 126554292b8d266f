import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

struct MapTests {
    private static let models: [ReadModel] = [.taxa, .datasets, .sightingsExact, .sightingsPublic]

    @Test func `records add up to the same at every zoom`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let (taxon, mine) = (UUID(), UUID())
            var random = RandomSource(seed: 5)
            var writer = LogWriter(fixture.owner)
            var events = [(90.0, 180.0), (-90, -180), (0, 0), (-90, 180)].map {
                Sightings.submitted(by: mine, taxon: taxon, latitude: $0.0, longitude: $0.1)
            }
            for _ in 0..<200 {
                let (latitude, longitude) = (random.double(in: -90...90), random.double(in: -180...180))
                events.append(Sightings.submitted(by: mine, taxon: taxon, latitude: latitude, longitude: longitude))
            }
            let dataset = UUID()
            events += (0..<10).map { _ in Sightings.imported(into: dataset, batch: UUID(), taxon: taxon) }
            try await writer.append([Sightings.taxon(taxon)] + events)
            try await fixture.follow(Self.models)

            let now = PublicMoment(known: writer.head, shown: writer.head)
            let queries = PublicSightingQueries(fixture.pool)
            let part = try BoundingBox(west: -130, south: 20, east: 40, north: 60)
            let few = try await queries.map(
                of: TaxonID(taxon), MapView(RecordFilter(box: part), grid: MapGrid(zoom: 3)), asOf: now)
            guard case .points(let points) = few else { return #expect(Bool(false), "few records are points") }
            #expect(points.map(\.id) == points.map(\.id).sorted() && points.count > 10)
            for zoom in MapGrid.zooms {
                let grid = MapGrid(zoom: zoom)
                let all = try await queries.map(of: TaxonID(taxon), MapView(grid: grid, fewRecords: 20), asOf: now)
                #expect(all.records == 214)
                guard case .cells(let cells, _) = all else { return #expect(Bool(false), "many records are cells") }
                #expect(cells.reduce(0) { $0 + $1.pending } == 204)
                #expect(cells.allSatisfy { $0.box.east <= 180 && $0.box.north <= 90 })
                let view = MapView(RecordFilter(box: part), grid: grid, fewRecords: 3)
                #expect(try await queries.map(of: TaxonID(taxon), view, asOf: now).records == points.count)
                let own = try await FindingQueries(fixture.pool).map(
                    of: AccountID(mine), MapView(grid: grid, fewRecords: 20))
                #expect(own.records == 204)
            }
            try await expectCoarser(TaxonID(taxon), queries, now)
            var seen: Set<SightingID> = []
            try await fixture.pool.transaction { connection in
                try await PublicSightingQueries(connection).eachPoint(
                    of: TaxonID(taxon), MapView(grid: MapGrid(zoom: 4)), asOf: now, on: connection
                ) { points in seen.formUnion(points.map(\.id)) }
            }
            // The dataset's terms are not known, so its records are not passed on.
            #expect(seen.count == 204)
        }
    }

    /// A map of too many cells is that of the finest grid with few enough, and counts the same records.
    private func expectCoarser(
        _ taxon: TaxonID, _ queries: PublicSightingQueries, _ now: PublicMoment
    ) async throws {
        func cells(_ zoom: Int, most: Int) async throws -> (cells: [MapAnswer.Cell], grid: MapGrid) {
            let view = MapView(grid: MapGrid(zoom: zoom), fewRecords: 20, fewCells: most)
            let answer = try await queries.map(of: taxon, view, asOf: now)
            guard case .cells(let cells, let grid) = answer else { throw CancellationError() }
            #expect(answer.records == 214 && cells.reduce(0) { $0 + $1.pending } == 204)
            return (cells, grid)
        }
        for most in [128, 140, 170, 190] {
            let coarse = try await cells(20, most: most)
            #expect(coarse.cells.count <= most && coarse.grid.zoom < 20)
            #expect(coarse.cells.allSatisfy { abs($0.box.east - $0.box.west - coarse.grid.side) < 1e-9 })
            #expect(try await cells(coarse.grid.zoom, most: 5_000).cells == coarse.cells)
            #expect(try await cells(coarse.grid.zoom + 1, most: 5_000).cells.count > most)
        }
    }

    @Test func `a box may lie across the 180th meridian`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let taxon = UUID()
            var writer = LogWriter(fixture.owner)
            let places = [179.5, -179.5, 180, -180, 170, -170, 0]
            try await writer.append(
                places.map { Sightings.submitted(by: UUID(), taxon: taxon, latitude: 52, longitude: $0) })
            try await fixture.follow(Self.models)
            let box = try BoundingBox(west: 175, south: 50, east: -175, north: 53)
            let answer = try await PublicSightingQueries(fixture.pool).map(
                of: TaxonID(taxon), MapView(RecordFilter(box: box), grid: MapGrid(zoom: 4)),
                asOf: PublicMoment(known: 7, shown: 7))
            #expect(answer.records == 4)
        }
    }

    /// Private places, category 1, withdrawn records and other times are not on the map; descendants are.
    @Test func `a map shows what may be shown`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let (genus, species, mine) = (UUID(), UUID(), UUID())
            var writer = LogWriter(fixture.owner)
            let shown = Sightings.submitted(by: mine, taxon: species, latitude: 47.123456)
            let later = Sightings.submitted(by: mine, taxon: species, day: "2026-06-01")
            try await writer.append([
                Sightings.taxon(genus), Sightings.taxon(species, parent: genus), shown, later,
                Sightings.submitted(by: mine, taxon: species, geoprivacy: "private"),
                Sightings.submitted(by: mine, taxon: species, sensitivity: 1),
            ])
            try await writer.append([Sightings.withdrawn(later.stream, "mistake")])
            let raised = GeneratedEvent(genus, "taxon", "TaxonSensitivitySet", ["category": 3])
            try await writer.append([raised])
            try await fixture.follow(Self.models)

            let queries = PublicSightingQueries(fixture.pool)
            func points(_ known: Int64, _ shown: Int64, _ view: MapView) async throws -> [Double] {
                let answer = try await queries.map(
                    of: TaxonID(genus), view, asOf: PublicMoment(known: known, shown: shown))
                guard case .points(let points) = answer else { return [] }
                return points.map(\.coordinate.latitude).sorted()
            }
            let view = MapView(grid: MapGrid(zoom: 5))
            #expect(try await points(4, 4, view) == [47.123456, 47.25])
            #expect(try await points(7, 7, view) == [47.123456])
            #expect(try await points(4, 8, view) == [47.125, 47.255], "a later restriction acts backwards")
            let may = MapView(
                RecordFilter(from: try CivilDate("2026-05-01"), to: try CivilDate("2026-05-31")), grid: view.grid)
            #expect(try await points(4, 4, may) == [47.123456])
        }
    }

    @Test(arguments: [1, 2, 3, 4])
    func `a category counts though the sender did not know it`(category: Int) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let (genus, species) = (UUID(), UUID())
            var writer = LogWriter(fixture.owner)
            let late = Sightings.submitted(by: UUID(), taxon: species, latitude: 47.123456)
            try await writer.append([
                Sightings.taxon(genus), Sightings.taxon(species, parent: genus),
                GeneratedEvent(genus, "taxon", "TaxonSensitivitySet", ["category": .number(category)]), late,
            ])
            try await fixture.follow(Self.models)
            let rows = try await fixture.publicRows(at: PublicMoment(known: 4, shown: 4))
            #expect(rows.map(\.coordinate?.latitude) == [[], [47.15], [47.125], [47.1235]][category - 1])
            #expect(rows.allSatisfy { $0.id != SightingID(late.stream) })
        }
    }

    /// The number of records of a taxon of category 1 by country and year, from three up.
    private static func withheldTotals(
        of taxon: UUID, at moment: PublicMoment, _ fixture: ModelFixture
    ) async throws -> [Int] {
        let result = try await fixture.pool.query(
            """
            select count(*) as records
              from \(identifier: ReadModel.sightingsPublic.schema).withheld s
             where s.taxon = \(taxon) and \(fragment: moment.totalsCondition)
             group by s.country, s.year
            having count(*) >= 3
            """)
        return try result.rows.map { try $0.decode("records") }
    }

    @Test func `category one is only counted from three up`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            let taxon = UUID()
            var writer = LogWriter(fixture.owner)
            func totals() async throws -> [Int] {
                try await fixture.follow(Self.models)
                let now = PublicMoment(known: writer.head, shown: writer.head)
                return try await Self.withheldTotals(of: taxon, at: now, fixture)
            }
            let events = (0..<3).map { _ in Sightings.submitted(by: UUID(), taxon: taxon, sensitivity: 1) }
            try await writer.append(Array(events[..<2]))
            #expect(try await totals() == [])
            try await writer.append([events[2]])
            #expect(try await totals() == [3])
            try await writer.append([Sightings.withdrawn(events[0].stream, "mistake")])
            #expect(try await totals() == [])
            let monthly = PublicMoment(known: 4, shown: 4, guarded: 3, settled: 3)
            #expect(try await Self.withheldTotals(of: taxon, at: monthly, fixture) == [3], "as of the end of a month")
            let anything = try await fixture.publicRows(at: PublicMoment(known: 4, shown: 4))
            #expect(anything.isEmpty)
        }
    }
}
