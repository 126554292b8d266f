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

    package init(
        _ visits: [EffortVisit], _ question: MarginQuestion, order: VisitOrder, truncated: Set<RangePeriod> = []
    ) {
        let byPeriod = Dictionary(grouping: visits, by: \.period)
        let rich = byPeriod.filter { $0.value.count >= Self.fewestVisits }
        let fewest = rich.values.map(\.count).min() ?? 0
        self.visits = fewest
        poor = byPeriod.keys.filter { rich[$0] == nil }.sorted()
        points = rich.sorted { $0.key < $1.key }.map { period, visits in
            SeriesPoint(period: period, value: Self.value(of: visits, fewest, question, order))
        }
        if visits.isEmpty {
            trend = .failure(.noVisits)
        } else if rich.isEmpty {
            trend = .failure(.fewVisits)
        } else {
            trend = RangeTrend.of(points, truncated: truncated).mapError { EffortReason($0) }
        }
    }

    private static func value(
        of visits: [EffortVisit], _ count: Int, _ question: MarginQuestion, _ order: VisitOrder
    ) -> Result<Double, MissingReason> {
        let values = (1...draws).compactMap { draw in
            try? question.value(order.first(count, of: visits, draw: draw).flatMap(\.records)).get()
        }
        guard 2 * values.count >= draws, let median = Percentile.median(values) else { return .failure(.fewDraws) }
        return .success(median)
    }
}
