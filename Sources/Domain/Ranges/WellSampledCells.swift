/// The trend in the cells that were visited throughout: those with at least three complete visits in at least two
/// thirds of the periods with visits.
package struct WellSampledCells: Hashable, Sendable {
    /// The fewest visits of a cell in a period.
    package static let fewestVisits = 3

    /// From south to north.
    package let cells: [MarginCell]
    /// The values of the records of visits in these cells.
    package let points: [SeriesPoint]
    package let trend: Result<RangeTrend, EffortReason>

    package init(_ visits: [EffortVisit], _ question: MarginQuestion, truncated: Set<RangePeriod> = []) {
        let periods = Set(visits.map(\.period))
        var counts: [MarginCell: [RangePeriod: Int]] = [:]
        for visit in visits { counts[visit.cell, default: [:]][visit.period, default: 0] += 1 }
        let chosen = Set(
            counts.filter { _, counts in
                3 * counts.values.count { $0 >= Self.fewestVisits } >= 2 * periods.count
            }.keys)
        cells = chosen.sorted()
        var records: [RangePeriod: [RangeRecord]] = [:]
        for visit in visits where chosen.contains(visit.cell) {
            records[visit.period, default: []] += visit.records
        }
        points = periods.sorted().map { period in
            SeriesPoint(period: period, value: question.value(records[period] ?? []))
        }
        if visits.isEmpty {
            trend = .failure(.noVisits)
        } else if chosen.isEmpty {
            trend = .failure(.noWellSampledCells)
        } else {
            trend = RangeTrend.of(points, truncated: truncated).mapError { EffortReason($0) }
        }
    }
}
