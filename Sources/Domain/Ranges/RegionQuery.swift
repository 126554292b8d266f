/// A query for the species of a region: the records considered, and the rule by which they count.
package struct RegionQuery: Hashable, Sendable {
    package let region: RegionCode
    /// The records of the region; its kind is compared with that of the species.
    package let filter: RecordFilter
    package let rule: RangeRule
    /// The statuses of the records that count, in the order in which answers name them.
    package var statuses: [SightingStatus] { BulkQuery.statuses }
    /// The side of the cells.
    package static let side = CellSide.ten

    private init(_ region: RegionCode, _ filter: RecordFilter, _ rule: RangeRule) {
        var filter = filter
        filter.region = region
        (self.region, self.filter, self.rule) = (region, filter, rule)
    }

    /// Asks where ranges end in a region, by the default rule of ranges.
    /// - Parameter filter: of its members, `kind`, `from` and `to` are used.
    package static func ranges(in region: RegionCode, _ filter: RecordFilter) -> RegionQuery {
        RegionQuery(region, filter, RangeRule(side: side))
    }

    /// Asks for the species of a region. The same records count, whatever the uncertainty of their place, and prompted
    /// ones, too: a target that was found is there.
    /// - Parameter filter: as for ``ranges(in:_:)``.
    package static func species(of region: RegionCode, _ filter: RecordFilter) -> RegionQuery {
        var rule = RangeRule(side: side)
        rule.maxUncertaintyMetres = .infinity
        rule.withPrompted = true
        return RegionQuery(region, filter, rule)
    }
}
