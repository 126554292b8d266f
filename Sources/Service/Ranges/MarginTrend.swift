import Bytes
import Crypto
package import Domain
import ReadModels

/// The trend of an end of a range, and whether recording effort explains it.
package struct MarginTrend: Sendable {
    /// The end in each period with records that count.
    package let points: [SeriesPoint]
    /// The periods in which the end is the region's border.
    package let truncated: Set<RangePeriod>
    package let raw: Result<RangeTrend, TrendReason>
    /// Complete visits.
    package let visits: Int
    /// The periods with any.
    package let periods: Int
    /// In hexadecimal.
    package let seed: String
    package let wellSampled: WellSampledCells
    package let rarefaction: Rarefaction
    package let effort: [EffortRow]
    package let judgement: TrendJudgement

    /// Computes the trend.
    /// - Parameters:
    ///   - visits: the complete ones in the region of the query, or everywhere.
    ///   - day: the one as of whose end the records and visits are; nil for the present.
    /// - Throws: ``MapTimeout``, `CancellationError`.
    init(
        _ counts: RangeCounts, _ visits: [EffortVisit], for query: TrendQuery, asOf day: CivilDate?,
        borders: LandBorders, within time: ComputingTime
    ) async throws {
        let (range, end) = (query.range, query.end)
        var records: [RangePeriod: [RangeRecord]] = [:]
        for group in counts.groups where range.region == nil || group.region == range.region {
            if let period = group.period, let place = group.place { records[period, default: []].append(place) }
        }
        let places = records.values.lazy.flatMap { $0 }.map(\.place)
        let question = MarginQuestion(
            metric: query.metric, end: end, side: range.side,
            reference: GammaReference(OccupiedCells(of: places, side: range.side), end))
        try await time.pause()
        points = RangeSeries.points(
            of: query.metric, end, records, side: range.side, reference: question.reference)
        var truncation = RangeTruncation(counts, range, borders)
        var truncated: Set<RangePeriod> = []
        for (period, places) in records {
            try await time.pause()
            let key = RangeKey(region: range.region, period: period)
            let cells = OccupiedCells(of: places.map(\.place), side: range.side)
            if truncation.isTruncated(cells, key, end) { truncated.insert(period) }
        }
        self.truncated = truncated
        raw = RangeTrend.of(points, truncated: truncated)
        self.visits = visits.count
        periods = Set(visits.map(\.period)).count
        seed = Self.seed(of: query, asOf: day)
        try await time.pause()
        wellSampled = WellSampledCells(visits, question, truncated: truncated)
        let order = VisitOrder(seed: seed) { text in SHA256.hash(data: text).withUnsafeBytes(Array.init) }
        rarefaction = try await Rarefaction(
            visits, question, order: order, truncated: truncated, pause: time.pause)
        effort = EffortTable.rows(visits, end, points)
        judgement = TrendJudgement(raw, wellSampled: wellSampled.trend, rarefied: rarefaction.trend)
    }

    /// The seed of the draws: SHA-256 of the query.
    static func seed(of query: TrendQuery, asOf day: CivilDate?) -> String {
        Hexadecimal.digits(of: SHA256.hash(data: Array(query.canonical(asOf: day).utf8)))
    }
}
