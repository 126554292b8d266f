import Domain
import JSON

/// Every parameter with its value, and null where there is none.
struct RangeParameters: JSONRepresentable {
    let query: RangeQuery
    /// Nil for a question that has none; then there is no such member.
    var metric: MarginMetric?

    func write(to writer: inout JSONWriter) {
        // The path, `statuses` and the members above have the rest of the filter.
        let members = RecordFilter.Member.allCases.filter {
            ![.taxon, .region, .statuses, .minConfidence, .maxUncertainty].contains($0)
        }
        writer.object { writer in
            writer.field("period", query.period)
            writer.field("region", query.region)
            writer.field("end", query.end)
            if let metric { writer.field("metric", metric) }
            writer.field("cellKm", query.side)
            writer.field("maxUncertaintyMetres", query.rule.maxUncertaintyMetres)
            writer.field("minConfidence", query.rule.minConfidence)
            writer.field("prompted", query.rule.withPrompted)
            FilterView(filter: query.filter, members: members, hasNulls: true).write(members: &writer)
        }
    }
}

extension JSONWriter {
    /// Writes the members that name a period: its first and its last year, or its week.
    mutating func fields(of period: RangePeriod) {
        switch period {
        case .years(let from, let to):
            field("from", from)
            field("to", to)
        case .week(let week): field("week", week)
        }
    }
}
