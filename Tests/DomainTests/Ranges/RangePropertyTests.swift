import TestRandom
import Testing

@testable import Domain

struct RangePropertyTests {
    private func figures(_ records: [RangeRecord]) -> RangeFigures {
        let cells = OccupiedCells(of: records.map(\.place), side: .ten)
        return RangeFigures(
            records, in: cells, references: (GammaReference(cells, .south), GammaReference(cells, .north)),
            isWholeTaxon: true)
    }

    @Test(arguments: RandomSource.seeds(20))
    func `figures do not depend on the order of records`(_ seed: UInt64) {
        var random = RandomSource(seed: seed)
        let records = RangeSamples.random(.random(in: 0...120, using: &random), &random)
        let shuffled = records.shuffled(using: &random)
        #expect(figures(records) == figures(shuffled))
        let years = Dictionary(grouping: records) { RangeSamples.year(2000 + Int($0.place.longitude) % 3) }
        for metric in MarginMetric.allCases {
            let points = RangeSeries.points(of: metric, .north, years, side: .ten)
            #expect(points == RangeSeries.points(of: metric, .north, years.mapValues { $0.reversed() }, side: .ten))
        }
    }

    @Test(arguments: RandomSource.seeds(20))
    func `a record inside moves no margin`(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let records = RangeSamples.random(100, &random)
        let before = figures(records)
        let middle = try #require(before.q50)
        let inside = RangeSamples.records([RangeSamples.at(middle, -100)], firstID: 1000)
        let after = figures(records + inside)
        #expect(after.south.extreme == before.south.extreme && after.north.extreme == before.north.extreme)
        #expect(after.south.meanOf10Cells == before.south.meanOf10Cells)
        #expect(after.north.meanOf10Cells == before.north.meanOf10Cells)
        #expect(after.extent == before.extent)
    }

    @Test(arguments: RandomSource.seeds(20))
    func `the median of all slopes turns with the series`(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let values = (0..<15).map { _ in Double.random(in: 30...50, using: &random) }
        func trend(_ values: [Double]) throws -> RangeTrend {
            try RangeTrend.of(
                values.enumerated().map { index, value in
                    SeriesPoint(period: RangeSamples.year(2000 + index), value: .success(value))
                }.shuffled(using: &random)
            ).get()
        }
        let (forwards, backwards) = (try trend(values), try trend(values.reversed()))
        #expect(abs(forwards.slope.perDecade + backwards.slope.perDecade) < 1e-9)
        #expect(abs(forwards.slope.low + backwards.slope.high) < 1e-9)
        #expect(forwards.p == backwards.p && forwards.tau == -backwards.tau)
    }

    @Test(arguments: RandomSource.seeds(20))
    func `nothing traps on odd places`(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let odd = (0..<30).compactMap { _ in RangeSamples.odd.randomElement(using: &random) }
        let records = RangeSamples.records(odd.shuffled(using: &random))
        for part in [records, Array(records.prefix(1)), records + RangeSamples.random(25, &random)] {
            let found = figures(part)
            #expect(found.records == part.count)
            for metric in MarginMetric.allCases {
                let points = RangeSeries.points(of: metric, .south, [RangeSamples.year(2000): part], side: .ten)
                #expect(RangeTrend.of(points).reason == .fewPeriods)
            }
        }
        _ = Truncation.isTruncated(
            OccupiedCells(of: odd, side: .ten), .north, border: [odd, []], hasRecordsBeyond: false)
    }
}
