/// A complete visit: a group of records with all species that were identified, the taxon among them or not.
package struct EffortVisit: Hashable, Sendable {
    /// The public id.
    package let id: String
    package let period: RangePeriod
    /// The cell with most of its records.
    package let cell: MarginCell
    /// How many taxa it lists.
    package let listLength: Int
    /// The records of the taxon; empty where it was not found.
    package let records: [RangeRecord]

    package init(id: String, period: RangePeriod, cell: MarginCell, listLength: Int, records: [RangeRecord]) {
        (self.id, self.period, self.cell) = (id, period, cell)
        (self.listLength, self.records) = (listLength, records)
    }
}

/// Which figure of which end an answer is about, and how it is computed in every period.
package struct MarginQuestion: Hashable, Sendable {
    package let metric: MarginMetric
    package let end: RangeEnd
    package let side: CellSide
    /// The reference of all the taxon's records that count, so that corrected series have that of the raw one.
    package let reference: GammaReference?

    package init(metric: MarginMetric, end: RangeEnd, side: CellSide, reference: GammaReference?) {
        (self.metric, self.end, self.side, self.reference) = (metric, end, side, reference)
    }

    func value(_ records: [RangeRecord]) -> Result<Double, MissingReason> {
        RangeSeries.value(of: metric, end, records, side: side, reference: reference)
    }
}

/// Why effort cannot be told from a shift.
package enum EffortReason: String, Vocabulary, Error {
    /// There are no complete visits: the data are presence-only.
    case noVisits
    /// No period has 30 visits.
    case fewVisits
    /// No cell was visited often enough in enough periods.
    case noWellSampledCells
    /// Fewer than eight periods have a corrected value.
    case fewPeriods
    /// Weeks of all years together are no series in time.
    case weekOfYear
    /// The end is the region's border in one of the periods.
    case truncated

    init(_ reason: TrendReason) {
        switch reason {
        case .weekOfYear: self = .weekOfYear
        case .truncated: self = .truncated
        case .fewPeriods: self = .fewPeriods
        }
    }
}
