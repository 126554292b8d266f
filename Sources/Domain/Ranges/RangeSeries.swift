/// A value of a period; the reason where there is none.
package struct SeriesPoint: Hashable, Sendable {
    package let period: RangePeriod
    package let value: Result<Double, MissingReason>

    package init(period: RangePeriod, value: Result<Double, MissingReason>) {
        (self.period, self.value) = (period, value)
    }
}

/// The end of a range in each period.
package enum RangeSeries {
    /// The values of a metric, by period.
    /// - Parameters:
    ///   - records: those that count, in any order; a period without records has no point.
    ///   - reference: of the gamma distribution; nil for that of all these records.
    package static func points(
        of metric: MarginMetric, _ end: RangeEnd, _ records: [RangePeriod: [RangeRecord]], side: CellSide,
        reference: GammaReference? = nil
    ) -> [SeriesPoint] {
        let places = records.values.lazy.flatMap { $0 }.map(\.place)
        let reference = reference ?? GammaReference(OccupiedCells(of: places, side: side), end)
        return records.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { period, records in
            SeriesPoint(period: period, value: value(of: metric, end, records, side: side, reference: reference))
        }
    }

    /// The latitude, in degrees, of an end of one period.
    package static func value(
        of metric: MarginMetric, _ end: RangeEnd, _ records: [RangeRecord], side: CellSide, reference: GammaReference?
    ) -> Result<Double, MissingReason> {
        let cells = OccupiedCells(of: records.map(\.place), side: side)
        switch metric {
        case .meanOf10Cells: return cells.meanOfTen(end)
        case .gamma95:
            guard let reference else { return .failure(.noRecords) }
            return GammaMargin.fit(cells, end, from: reference).map(\.latitude)
        case .q05: return cells.percentile(end == .south ? 0.05 : 0.95)
        case .extreme:
            guard let extreme = ExtremeRecord(of: records, end) else { return .failure(.noRecords) }
            return .success(extreme.latitude)
        }
    }
}

extension OccupiedCells {
    /// The percentile of the latitudes of the cells, for a share from 0 to 1.
    package func percentile(_ share: Double) -> Result<Double, MissingReason> {
        guard let value = Percentile.of(latitudes, share) else { return .failure(.noRecords) }
        return .success(value)
    }
}
