/// The trend when every period has as few visits as the poorest one.
package struct Rarefaction: Sendable {
    /// The fewest visits of a period that takes part.
    package static let fewestVisits = 30
    /// How often visits are drawn.
    package static let draws = 199

    /// The visits of each draw and period; 0 where no period takes part.
    package let visits: Int
    /// The periods that have too few visits to take part.
    package let poor: [RangePeriod]
    /// The medians over the draws with a value, which are at least half of them.
    package let points: [SeriesPoint]
    package let trend: Result<RangeTrend, EffortReason>

    /// Draws visits. There may be hundreds of draws of many thousand visits.
    /// - Parameter pause: runs before each draw; what it throws ends the drawing.
    /// - Throws: what `pause` throws.
    package init(
        _ visits: [EffortVisit], _ question: MarginQuestion, order: VisitOrder, truncated: Set<RangePeriod> = [],
        pause: @Sendable () async throws -> Void = {}
    ) async throws {
        let byPeriod = Dictionary(grouping: visits, by: \.period)
        let rich = byPeriod.filter { $0.value.count >= Self.fewestVisits }
        let fewest = rich.values.map(\.count).min() ?? 0
        self.visits = fewest
        poor = byPeriod.keys.filter { rich[$0] == nil }.sorted()
        var points: [SeriesPoint] = []
        for (period, visits) in rich.sorted(by: { $0.key < $1.key }) {
            var values: [Result<Double, MissingReason>] = []
            // All draws of the poorest period are the same.
            for draw in 1...(visits.count == fewest ? 1 : Self.draws) {
                try await pause()
                let drawn = visits.count == fewest ? visits : order.first(fewest, of: visits, draw: draw)
                values.append(question.value(drawn.flatMap(\.records)))
            }
            points.append(SeriesPoint(period: period, value: Self.median(values)))
        }
        self.points = points
        if visits.isEmpty {
            trend = .failure(.noVisits)
        } else if rich.isEmpty {
            trend = .failure(.fewVisits)
        } else {
            trend = RangeTrend.of(points, truncated: truncated).mapError { EffortReason($0) }
        }
    }

    /// The median of the draws with a value.
    private static func median(_ draws: [Result<Double, MissingReason>]) -> Result<Double, MissingReason> {
        let values = draws.compactMap { try? $0.get() }
        guard 2 * values.count >= draws.count, let median = Percentile.median(values) else {
            return .failure(.fewDraws)
        }
        return .success(median)
    }
}
