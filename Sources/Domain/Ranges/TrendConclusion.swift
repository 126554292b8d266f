/// The meaning of a trend once recording effort is considered.
package enum TrendConclusion: String, Vocabulary {
    case remains
    case notDistinguishable = "not-distinguishable"
    case notComputable = "not-computable"
    case noTrend = "no-trend"
}

/// A conclusion in words.
package struct TrendJudgement: Hashable, Sendable {
    package let conclusion: TrendConclusion
    /// One sentence.
    package let sentence: String

    /// Compares a raw trend with those that are corrected for effort.
    package init(
        _ raw: Result<RangeTrend, TrendReason>, wellSampled: Result<RangeTrend, EffortReason>,
        rarefied: Result<RangeTrend, EffortReason>
    ) {
        let direction: Int
        switch raw {
        case .failure(let reason):
            (conclusion, sentence) = (.noTrend, reason.sentence)
            return
        case .success(let trend): direction = trend.slope.direction
        }
        guard direction != 0 else {
            (conclusion, sentence) = (.noTrend, Self.withoutDirection)
            return
        }
        let corrections = [("in the well-sampled cells", wellSampled), ("after rarefaction", rarefied)]
        let disagreeing = corrections.filter { _, result in
            if case .success(let trend) = result { trend.slope.direction != direction } else { false }
        }
        let missing = corrections.compactMap { name, result -> (String, EffortReason)? in
            if case .failure(let reason) = result { (name, reason) } else { nil }
        }
        if let first = disagreeing.first {
            let names = disagreeing.count > 1 ? "\(first.0) and \(disagreeing[1].0)" : first.0
            conclusion = .notDistinguishable
            sentence =
                "The shift is not distinguishable from a change in recording effort: it is not found \(names)."
        } else if let (name, reason) = missing.first {
            conclusion = .notComputable
            sentence = reason.sentence(name)
        } else {
            conclusion = .remains
            sentence =
                "The shift remains after correction for recording effort, in the well-sampled cells and after "
                + "rarefaction."
        }
    }

    private static let withoutDirection =
        "The 95 % interval of the slope includes 0, so no shift can be told from these records."
}

extension TrendReason {
    fileprivate var sentence: String {
        switch self {
        case .weekOfYear: "There is no trend, because weeks of all years together are not a series in time."
        case .truncated:
            "There is no trend, because in at least one period this end is the region's border and not the range's."
        case .fewPeriods: "There is no trend, because fewer than 8 periods have a value."
        }
    }
}

extension EffortReason {
    fileprivate func sentence(_ correction: String) -> String {
        let start = "Effort cannot be separated from the shift, because "
        switch self {
        case .noVisits:
            return start + "the records are presence-only: no complete visits tell where the taxon was not found."
        case .fewVisits: return start + "no period has 30 complete visits."
        case .noWellSampledCells:
            return start + "no cell has 3 complete visits in two thirds of the periods."
        case .fewPeriods: return start + "fewer than 8 periods have a value \(correction)."
        case .weekOfYear: return start + "weeks of all years together are not a series in time."
        case .truncated:
            return start + "in at least one period this end is the region's border and not the range's."
        }
    }
}
