import Domain
import FoundationEssentials
import ReadModels
import Testing

@testable import Service

struct RangeTableTests {
    private static let taxon = TaxonID(UUID())

    private func group(
        _ region: String?, _ period: RangePeriod?, at place: (Double, Double)?, reason: LeftOutReason? = nil,
        records: Int = 1
    ) -> RangeCounts.Group {
        let record = place.map {
            RangeRecord(id: SightingID(UUID()), place: Coordinate(uncheckedLatitude: $0.0, longitude: $0.1))
        }
        return RangeCounts.Group(
            region: region.map { RegionCode(unchecked: $0) }, period: period, reason: reason, place: record,
            records: records, generalised: 0, notInExports: 0)
    }

    private func year(_ year: Int) -> RangePeriod { .years(from: year, to: year) }

    private func table(
        _ groups: [RangeCounts.Group], region: String? = nil, end: RangeEnd? = nil, most: Int = RangeTable.mostRows
    ) throws -> RangeTable {
        let places = try PlaceIndex(
            borders: [], abroad: [], regions: [], islands: [], version: PolygonSetCode(unchecked: "test-v1"))
        let query = RangeQuery(
            of: Self.taxon, RecordFilter(), region: region.map { RegionCode(unchecked: $0) }, end: end)
        return try RangeTable(
            RangeCounts(groups: groups, observers: []), for: query, borders: LandBorders(places), most: most)
    }

    @Test func `all records come first, then regions, within them periods, and last what fits none`() throws {
        let rows = try table([
            group("b", year(2001), at: (40, -100)), group("a", nil, at: nil, reason: .period, records: 3),
            group("a", year(2002), at: (41, -100)), group("a", year(2001), at: (42, -100)),
            group(nil, year(2002), at: (43, -100), records: 2),
        ]).rows
        let keys = rows.map { "\($0.region?.text ?? "all") \($0.period.map { "\($0)" } ?? "none") \($0.records)" }
        let (first, second) = ("\(year(2001))", "\(year(2002))")
        #expect(
            keys == [
                "all \(first) 2", "all \(second) 3", "all none 0", "a \(first) 1", "a \(second) 1", "a none 0",
                "b \(first) 1",
            ])
        #expect(rows[2].leftOut.map(\.records) == [3] && rows[2].truncated.isEmpty)
        #expect(rows.allSatisfy { $0.figures.cells <= $0.records })
    }

    @Test func `one region has rows beside all`() throws {
        let groups = [group("a", year(2001), at: (40, -100)), group("b", year(2001), at: (41, -100))]
        let rows = try table(groups, region: "b", end: .south).rows
        #expect(rows.map(\.region?.text) == [nil, "b"] && rows.map(\.records) == [2, 1])
        #expect(rows.allSatisfy { $0.truncated.keys.map(\.self) == [.south] })
    }

    @Test func `in steps, a table is the same and ends with its time`() async throws {
        let groups = [group("a", year(2001), at: (40, -100)), group("b", year(2002), at: (41, -100))]
        let places = try PlaceIndex(
            borders: [], abroad: [], regions: [], islands: [], version: PolygonSetCode(unchecked: "test-v1"))
        let (counts, query) = (RangeCounts(groups: groups, observers: []), RangeQuery(of: Self.taxon, RecordFilter()))
        let steps = try await RangeTable(
            counts, for: query, borders: LandBorders(places), within: ComputingTime(limit: .seconds(600)))
        #expect(try steps.rows.map(\.figures) == table(groups).rows.map(\.figures))
        await #expect(throws: MapTimeout.self) {
            _ = try await RangeTable(
                counts, for: query, borders: LandBorders(places), within: ComputingTime(limit: .zero))
        }
    }

    @Test func `an answer has no more rows than answers may`() throws {
        let groups = (2001...2010).map { group("a", year($0), at: (40, -100)) }
        #expect(try table(groups, most: 20).rows.count == 20)
        #expect(throws: TooManyRangeRows.self) { try table(groups, most: 19) }
    }

    /// With a reference for each period, the trend of a margin may change its sign.
    @Test func `all periods of a region have one reference`() throws {
        let groups = [2001, 2002].flatMap { number in
            (0..<25).map { group("a", year(number), at: (40 + Double($0) * 0.1 + Double(number - 2001), -100)) }
        }
        let rows = try table(groups).rows.filter { $0.region != nil }
        let south = try rows.map { try #require($0.figures.south.gamma95) }
        let north = try rows.map { try #require($0.figures.north.gamma95) }
        #expect(south.count == 2 && Set(south.map(\.reference)).count == 1 && Set(north.map(\.reference)).count == 1)
        #expect(south[0].reference > 43 && north[0].reference < 40)
    }

    @Test func `a range goes on in other regions of the same period`() throws {
        let rows = try table([
            group("a", year(2001), at: (40, -100)), group("b", year(2001), at: (35, -101)),
            group("a", year(2002), at: (40, -100)), group("b", year(2003), at: (35, -101)),
        ]).rows
        let ends = rows.filter { $0.region?.text == "a" }.map { [$0.truncated[.south], $0.truncated[.north]] }
        #expect(ends == [[true, false], [false, false]])
        #expect(rows.filter { $0.region == nil }.allSatisfy { !$0.truncated.values.contains(true) })
    }
}
