/// A query for the range of a taxon: the records considered, how they are divided, and the rule by which they count.
package struct RangeQuery: Hashable, Sendable {
    /// The taxon, which stands for itself and its descendants.
    package let taxon: TaxonID
    /// The records considered. Those that do not count are left out for a reason.
    package let filter: RecordFilter
    package let rule: RangeRule
    package let period: RangePeriodKind
    package let side: CellSide
    /// The region that has rows, besides those of all records; nil for every region.
    package let region: RegionCode?
    /// The end of which there are figures; nil for both.
    package let end: RangeEnd?
    /// The statuses of the records that count, in the order in which answers name them.
    package let statuses: [SightingStatus]

    /// - Parameters:
    ///   - filter: as requests have it. Its `minConfidence` and `maxUncertaintyMetres` become part of the rule, so that
    ///     the records which they leave out are counted; so does the lack of a status.
    ///   - withPrompted: whether records that were prompted by targets count, too.
    package init(
        of taxon: TaxonID, _ filter: RecordFilter, period: RangePeriodKind = .year, side: CellSide = .ten,
        region: RegionCode? = nil, end: RangeEnd? = nil, withPrompted: Bool = false
    ) {
        (self.taxon, self.period, self.side, self.region, self.end) = (taxon, period, side, region, end)
        var rule = RangeRule(side: side, filter)
        rule.withPrompted = withPrompted
        self.rule = rule
        let rejected: [SightingStatus] = filter.statuses.contains(.rejected) ? [.rejected] : []
        statuses = filter.statuses.isEmpty ? BulkQuery.statuses : filter.shownStatuses + rejected
        var looked = filter
        (looked.maxUncertainty, looked.minConfidence) = (nil, nil)
        self.filter = looked
    }

    /// Whether figures of an end are asked for.
    package func asks(for end: RangeEnd) -> Bool { self.end == nil || self.end == end }
}
