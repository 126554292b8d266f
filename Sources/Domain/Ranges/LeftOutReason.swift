/// Why a record does not count for a range, in the order in which the reasons are tried: the first one that applies is
/// the one that is reported, so that each record is counted once.
package enum LeftOutReason: String, Vocabulary {
    case captive
    /// The identification has a qualifier: `cf.`, `aff.`.
    case qualified
    /// The taxon was the region's target when the record was submitted.
    case prompted
    /// The uncertainty of the place is larger than allowed.
    case uncertain
    case noPlace
    case noConfidence
    case lowConfidence
    /// The observed interval lies in no period.
    case period
    /// No moderator has decided yet.
    case pending
}

/// The facts of a public record that decide whether it counts for a range. Answers decide in SQL (`RangeQueries`);
/// tests compare that with this.
package struct RangeCandidate: Hashable, Sendable {
    package var isCaptive = false
    package var isQualified = false
    package var isPrompted = false
    /// The radius around the public place, nil where it is unknown.
    package var uncertaintyMetres: Double?
    package var hasPlace = true
    package var confidence: Int?
    package var fitsPeriod = true
    package var isPending = false

    package init() {}
}

/// The rule by which records count for a range.
package struct RangeRule: Hashable, Sendable {
    package var withCaptive = false
    package var withQualified = false
    package var withPrompted = false
    package var withPending = false
    /// A record without a known uncertainty counts, one with a larger one does not.
    package var maxUncertaintyMetres: Double
    /// Asks for a confidence of at least this.
    package var minConfidence: Int?

    /// The default rule: records that are wild, certain of the taxon, not prompted, approved, and no less certain of
    /// the place than a cell is wide.
    package init(side: CellSide) {
        maxUncertaintyMetres = side.metres
    }

    /// The default rule, changed by a filter: captive and pending records count if it asks for them, and less certain
    /// ones than it asks for do not.
    package init(side: CellSide, _ filter: RecordFilter) {
        self.init(side: side)
        if let most = filter.maxUncertainty { maxUncertaintyMetres = most.value }
        minConfidence = filter.minConfidence?.value
        withCaptive = filter.captive == true
        withPending = filter.statuses.contains(.pending)
    }

    /// The first reason for which a record does not count, or nil if it counts.
    package func reason(against record: RangeCandidate) -> LeftOutReason? {
        LeftOutReason.allCases.first { applies($0, to: record) }
    }

    /// The number of records for each reason that applies to any, in the order of the reasons.
    package func leftOut(
        of records: some Sequence<RangeCandidate>
    ) -> [(reason: LeftOutReason, records: Int)] {
        var counts: [LeftOutReason: Int] = [:]
        for record in records {
            if let reason = reason(against: record) { counts[reason, default: 0] += 1 }
        }
        return LeftOutReason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
    }

    private func applies(_ reason: LeftOutReason, to record: RangeCandidate) -> Bool {
        switch reason {
        case .captive: record.isCaptive && !withCaptive
        case .qualified: record.isQualified && !withQualified
        case .prompted: record.isPrompted && !withPrompted
        // Not a number is no radius within the limit.
        case .uncertain: record.uncertaintyMetres.map { !($0 <= maxUncertaintyMetres) } ?? false
        case .noPlace: !record.hasPlace
        case .noConfidence: minConfidence != nil && record.confidence == nil
        case .lowConfidence: minConfidence.map { (record.confidence ?? $0) < $0 } ?? false
        case .period: !record.fitsPeriod
        case .pending: record.isPending && !withPending
        }
    }
}
