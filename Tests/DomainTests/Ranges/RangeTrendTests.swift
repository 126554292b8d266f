import Foundation
import Testing

@testable import Domain

struct RangeTrendTests {
    private func series(_ values: [Double?], from first: Int = 2000) -> [SeriesPoint] {
        values.enumerated().map { index, value in
            SeriesPoint(
                period: RangeSamples.year(first + index), value: value.map { .success($0) } ?? .failure(.fewCells))
        }
    }

    private func points(_ x: [Double], _ y: [Double]) -> [(x: Double, y: Double)] {
        zip(x, y).map { (x: $0.0, y: $0.1) }
    }

    /// The data of Sen (1968), with the interval of 93 % that scipy and R's deming have.
    @Test func `Sen's own example`() throws {
        let data = points([1, 2, 3, 4, 10, 12, 18], [9, 15, 19, 20, 45, 55, 78])
        let line = try #require(TheilSenLine(data, deviations: 1.8119106729525978))
        #expect(line.slope == 4 && line.intercept == 4)
        #expect(abs(line.low - 26.0 / 7) < 1e-12 && line.high == 35.0 / 8)
    }

    @Test func `a line needs two different years`() {
        #expect(TheilSenLine([]) == nil)
        #expect(TheilSenLine([(x: 1, y: 2)]) == nil)
        #expect(TheilSenLine([(x: 1, y: 2), (x: 1, y: 3)]) == nil)
        #expect(TheilSenLine([(x: 1, y: .nan), (x: 2, y: 3)]) == nil)
    }

    /// pymannkendall's `original_test`.
    @Test func `the Mann-Kendall test corrects for ties`() throws {
        let test = try #require(MannKendall([1, 2, 2, 3, 5, 4, 6, 6, 6, 9]))
        #expect(abs(test.p - 0.0005320055051392103) < 1e-12 && abs(test.tau - 0.8666666666666667) < 1e-12)
        let constant = try #require(MannKendall([3, 3, 3]))
        #expect(constant.p == 1 && constant.tau == 0)
        #expect(MannKendall([1]) == nil && MannKendall([1, .nan]) == nil)
    }

    @Test func `eight periods with a value make a trend`() throws {
        #expect(RangeTrend.of(series([1, 2, 3, nil, 4, 5, 6, 7])).reason == .fewPeriods)
        let trend = try RangeTrend.of(series([1, 2, 3, nil, 5, 6, 7, 8, 9])).get()
        #expect(trend.n == 8 && trend.slope.perDecade == 10 && trend.tau == 1)
        #expect(trend.autocorrelation.lag1 == nil && !trend.autocorrelation.warning)
        // A degree of latitude at the equator has 110.6 km.
        #expect(abs(trend.slopeKm.perDecade - 1106) < 1)
    }

    @Test func `neither weeks nor a truncated end have a trend`() {
        let weeks = (1...10).map { SeriesPoint(period: .week($0), value: .success(Double($0))) }
        #expect(RangeTrend.of(weeks).reason == .weekOfYear)
        let years = series([1, 2, 3, 4, 5, 6, 7, 8])
        #expect(RangeTrend.of(years, truncated: [RangeSamples.year(2003)]).reason == .truncated)
        #expect(RangeTrend.of(years, truncated: [RangeSamples.year(1999)]).value != nil)
    }

    @Test func `residuals of neighbours are compared, not those across a gap`() throws {
        let waves = (0..<24).map { (index: Int) -> Double in
            let wave: Double = index / 4 % 2 == 0 ? 1 : -1
            return Double(index) / 10 + wave
        }
        let trend = try RangeTrend.of(series(waves)).get()
        #expect(trend.autocorrelation.warning && (trend.autocorrelation.lag1 ?? 0) > 0.5)
        let apart = waves.enumerated().map { index, value in
            SeriesPoint(period: RangeSamples.year(1900 + 2 * index), value: .success(value))
        }
        #expect(try RangeTrend.of(apart).get().autocorrelation.lag1 == 0)
    }

    @Test(.enabled(if: TestData.wrens != nil, "no test data: set SKEIN_TEST_DATA"))
    func `the wrens' southern margin has the published slope`() throws {
        let side = try CellSide(50)
        let file = try #require(TestData.wrens)
        let years = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
            .compactMap { Int($0.split(separator: ",", omittingEmptySubsequences: false)[4].prefix(4)) }
        let records = RangeSamples.records(try TestData.places(in: file))
        try #require(years.count == records.count)
        let byYear = Dictionary(grouping: zip(years, records)) { RangeSamples.year($0.0) }.mapValues { $0.map(\.1) }
        let trend = RangeTrend.of(RangeSeries.points(of: .meanOf10Cells, .south, byYear, side: side))
        // scipy and pymannkendall on the same file.
        let found = try trend.get()
        #expect(found.n == 55)
        #expect(abs(found.slope.perDecade + 0.38951832877) < 1e-8)
        #expect(abs(found.slope.low + 0.53236722014) < 1e-8 && abs(found.slope.high + 0.27018452917) < 1e-8)
        #expect(abs(found.slopeKm.perDecade + 43.2396605) < 1e-4)
        #expect(abs(found.p / 6.586409495e-07 - 1) < 1e-6)
        let gamma = try RangeTrend.of(RangeSeries.points(of: .gamma95, .south, byYear, side: side)).get()
        #expect(abs(gamma.slope.perDecade + 0.76786032386) < 1e-8)
        let judgement = TrendJudgement(trend, wellSampled: .failure(.noVisits), rarefied: .failure(.noVisits))
        #expect(judgement.conclusion == .notComputable && judgement.sentence.contains("presence-only"))
    }

    @Test func `each conclusion has its own sentence`() throws {
        let rising = try RangeTrend.of(series((0..<12).map { Double($0) })).get()
        let falling = try RangeTrend.of(series((0..<12).map { -Double($0) })).get()
        let flat = try RangeTrend.of(series((0..<12).map { (index: Int) -> Double? in index % 2 == 0 ? 1 : 2 })).get()
        let judgements = [
            TrendJudgement(.success(rising), wellSampled: .success(rising), rarefied: .success(rising)),
            TrendJudgement(.success(rising), wellSampled: .success(flat), rarefied: .failure(.fewVisits)),
            TrendJudgement(.success(rising), wellSampled: .success(rising), rarefied: .success(falling)),
            TrendJudgement(.success(rising), wellSampled: .success(rising), rarefied: .failure(.fewVisits)),
            TrendJudgement(.success(flat), wellSampled: .success(rising), rarefied: .success(rising)),
            TrendJudgement(.failure(.truncated), wellSampled: .failure(.noVisits), rarefied: .failure(.noVisits)),
        ]
        let conclusions: [TrendConclusion] = [
            .remains, .notDistinguishable, .notDistinguishable, .notComputable, .noTrend, .noTrend,
        ]
        #expect(judgements.map(\.conclusion) == conclusions)
        #expect(Set(judgements.map(\.sentence)).count == 6)
        #expect(judgements.allSatisfy { $0.sentence.hasSuffix(".") })
    }
}
