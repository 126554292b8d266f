package import Domain
import ReadModels

/// How far an account is with a target.
package enum CaptureState: String, Sendable {
    case no
    /// A finding of it waits for its approval.
    case sent
    case captured
}

extension OwnWeek {
    /// How far the account is with a target, and the finding that counts.
    package func capture(of target: ShownTarget) -> (state: CaptureState, finding: SightingID?) {
        guard let capture = captures[target.row.id] else { return (.no, nil) }
        return (capture.isApproved ? .captured : .sent, capture.finding)
    }

    /// The seconds that are left for a target; nil if it is captured.
    package func secondsLeft(for target: ShownTarget) -> Int? {
        guard let week, capture(of: target).state != .captured else { return nil }
        return Int(max(0, week.endsAt.microsecondsSince1970 - at.microsecondsSince1970) / 1_000_000)
    }
}

/// The progress of an account over the weeks.
package struct OwnProgress: Sendable {
    /// The running week.
    package let week: OwnWeek
    /// Weeks with captures, and runs of them.
    package let weeks: TargetProgress
    /// The number of species that the account captured, by their kinds.
    package let species: [TaxonKind: Int]

    /// - Parameters:
    ///   - captures: all captures of the account.
    ///   - running: the week that it is.
    init(_ week: OwnWeek, _ captures: [CaptureRow], running: ISOWeek, names: TaxonNames) {
        self.week = week
        weeks = TargetProgress(
            Dictionary(grouping: captures, by: \.week).mapValues { rows in
                TargetProgress.Week(captured: Self.most(of: rows), sent: rows.count { !$0.isApproved })
            }, running: running)
        let taxa = Set(captures.filter(\.isApproved).map(\.taxon))
        species = Dictionary(grouping: taxa.compactMap { names.summary(of: $0)?.kind }) { $0 }.mapValues(\.count)
    }

    /// The targets captured in the region with the most of them; a target and its replacement count once.
    private static func most(of rows: [CaptureRow]) -> Int {
        let regions = Dictionary(grouping: rows.filter(\.isApproved), by: \.region)
        return regions.values.map { Set($0.map(\.ordinal)).count }.max() ?? 0
    }
}
