package import Domain
package import JSON
package import Service

/// The trend of an end of a range, with recording effort.
package struct TrendAnswer: JSONRepresentable {
    let named: NamedTrend
    /// The day as of whose end it is; nil for the present.
    let day: CivilDate?

    package init(trend named: NamedTrend, asOf day: CivilDate?) {
        (self.named, self.day) = (named, day)
    }

    package func write(to writer: inout JSONWriter) {
        let (query, trend) = (named.query, named.trend)
        writer.object { writer in
            writer.field("asOf", day)
            writer.field("taxon", named.taxon)
            writer.field("statuses", query.range.statuses)
            writer.field("parameters", RangeParameters(query: query.range, metric: query.metric))
            writer.field("series", array: trend.points) { writer, point in
                writer.object { writer in
                    writer.fields(of: point)
                    writer.field("truncated", trend.truncated.contains(point.period))
                }
            }
            writer.fields(of: trend.raw, trend.points)
            writer.field("effort", EffortAnswer(trend: trend))
            writer.field("conclusion", trend.judgement.conclusion)
            writer.field("sentence", trend.judgement.sentence)
        }
    }
}

/// The visits, and the trends that are corrected for them.
private struct EffortAnswer: JSONRepresentable {
    let trend: MarginTrend

    func write(to writer: inout JSONWriter) {
        let (sampled, rarefied) = (trend.wellSampled, trend.rarefaction)
        writer.object { writer in
            writer.field("visits", trend.visits)
            writer.field("periods", trend.periods)
            writer.field("poorPeriods", array: rarefied.poor) { writer, period in
                writer.object { $0.fields(of: period) }
            }
            writer.field("seed", trend.seed)
            writer.field("wellSampled") { writer in
                writer.field("cells", sampled.cells.count)
                writer.series(sampled.points)
                writer.fields(of: sampled.trend, sampled.points)
            }
            writer.field("rarefaction") { writer in
                writer.field("count", rarefied.visits)
                writer.field("draws", Rarefaction.draws)
                writer.series(rarefied.points)
                writer.fields(of: rarefied.trend, rarefied.points)
            }
            writer.field("table", array: trend.effort) { writer, row in
                writer.object { writer in
                    writer.fields(of: row.period)
                    writer.field("band", row.band)
                    writer.field("visits", row.visits)
                    writer.field("detections", row.detections)
                    writer.field("listLength", row.listLength.rounded(decimals: 2))
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func series(_ points: [SeriesPoint]) {
        field("series", array: points) { writer, point in
            writer.object { $0.fields(of: point) }
        }
    }

    fileprivate mutating func fields(of point: SeriesPoint) {
        let (value, reason) = point.value.parts
        fields(of: point.period)
        field("value", value?.rounded(decimals: 6))
        field("reason", reason)
    }

    /// Writes the figures of a trend, or nulls and the reason.
    fileprivate mutating func fields(of result: Result<RangeTrend, some Vocabulary>, _ points: [SeriesPoint]) {
        let (trend, reason) = result.parts
        field("n", trend?.n ?? points.count { $0.value.parts.value != nil })
        field("slope", trend.map { Slope(interval: $0.slope) })
        field("slopeKm", trend.map { Slope(interval: $0.slopeKm) })
        field("p", trend?.p.rounded(significant: 3))
        field("tau", trend?.tau.rounded(decimals: 4))
        field("autocorrelation", trend.map { Autocorrelation(residuals: $0.autocorrelation) })
        field("reason", reason)
    }
}

extension Result {
    fileprivate var parts: (value: Success?, reason: Failure?) {
        switch self {
        case .success(let value): (value, nil)
        case .failure(let reason): (nil, reason)
        }
    }
}

private struct Slope: JSONRepresentable {
    let interval: SlopeInterval

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("perDecade", interval.perDecade.rounded(decimals: 4))
            writer.field("low", interval.low.rounded(decimals: 4))
            writer.field("high", interval.high.rounded(decimals: 4))
        }
    }
}

private struct Autocorrelation: JSONRepresentable {
    let residuals: ResidualAutocorrelation

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("lag1", residuals.lag1?.rounded(decimals: 4))
            writer.field("warning", residuals.warning)
        }
    }
}
