/// A query for the trend of an end of a range.
package struct TrendQuery: Hashable, Sendable {
    /// The records, periods and cells. Its end is that of the trend.
    package let range: RangeQuery
    package let end: RangeEnd
    package let metric: MarginMetric

    package init(_ range: RangeQuery, end: RangeEnd, metric: MarginMetric = .meanOf10Cells) {
        (self.range, self.end, self.metric) = (range, end, metric)
    }

    /// The text of the query, from which the seed of draws of visits is derived: only equal queries as of the same day
    /// have the same text. It depends on the query alone, so the seed reveals nothing about records. Published
    /// responses depend on it, so it must not change.
    package func canonical(asOf day: CivilDate?) -> String {
        let rule = range.rule
        var writer = PayloadWriter()
        writer.object { writer in
            writer.field("trend", integer: 1)
            writer.field("taxon", range.taxon)
            writer.field("asOf", day)
            writer.field("region", range.region)
            writer.field("end", end)
            writer.field("metric", metric)
            writer.field("period", range.period)
            writer.field("cellKm", integer: range.side.value)
            writer.field("statuses", range.statuses)
            writer.field("maxUncertaintyMetres", number: rule.maxUncertaintyMetres)
            writer.field("minConfidence", integer: rule.minConfidence)
            writer.field("qualified", rule.withQualified)
            writer.field("prompted", rule.withPrompted)
            writer.field("filter", range.filter)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
