package import Domain
package import JSON
package import ReadModels
package import Service

extension OwnWeek: JSONRepresentable {
    /// The week with `captured`, the finding and the seconds that are left of each target; null for an account without
    /// a region.
    package func write(to writer: inout JSONWriter) {
        writer.object { write(members: &$0) }
    }

    fileprivate func write(members writer: inout JSONWriter) {
        writer.field("week", week.map { CountedWeek(week: $0, captures: captures, at: at) })
    }
}

/// A week as one account sees it.
private struct CountedWeek: JSONRepresentable {
    let week: ShownWeek
    let captures: [TargetID: CaptureRow]
    let at: Instant

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            week.write(members: &writer, each: write(whole:of:), replaced: write(capture:of:))
        }
    }

    private func write(whole writer: inout JSONWriter, of target: ShownTarget) {
        writer.object { writer in
            target.write(members: &writer)
            write(capture: &writer, of: target)
            let isCaptured = captures[target.row.id]?.isApproved == true
            writer.field("secondsLeft", isCaptured ? nil : secondsLeft)
        }
    }

    private func write(capture writer: inout JSONWriter, of target: ShownTarget) {
        let capture = captures[target.row.id]
        writer.field("captured", capture.map { $0.isApproved ? "captured" : "sent" } ?? "no")
        writer.field("findingId", capture?.finding)
    }

    private var secondsLeft: Int {
        Int(max(0, week.endsAt.microsecondsSince1970 - at.microsecondsSince1970) / 1_000_000)
    }
}

/// The progress of an account.
package struct ProgressView: JSONRepresentable {
    let week: OwnWeek
    let captures: [CaptureRow]
    let running: ISOWeek
    let kind: (TaxonID) -> TaxonKind?

    package init(week: OwnWeek, captures: [CaptureRow], running: ISOWeek, kind: @escaping (TaxonID) -> TaxonKind?) {
        (self.week, self.captures, self.running, self.kind) = (week, captures, running, kind)
    }

    package func write(to writer: inout JSONWriter) {
        let weeks = Dictionary(grouping: captures, by: \.week).mapValues { rows in
            TargetProgress.Week(captured: most(of: rows), sent: rows.count { !$0.isApproved })
        }
        let progress = TargetProgress(weeks, running: running)
        let species = Set(captures.filter(\.isApproved).map(\.taxon))
        let kinds = Dictionary(grouping: species.compactMap(kind)) { $0 }.mapValues(\.count)
        writer.object { writer in
            week.write(members: &writer)
            writer.field("completedWeeks", progress.completedWeeks)
            writer.field("currentRun", progress.currentRun)
            writer.field("longestRun", progress.longestRun)
            writer.field(
                "capturedSpecies",
                object: { writer in
                    for kind in TaxonKind.allCases { writer.field(named: kind.rawValue, kinds[kind] ?? 0) }
                })
        }
    }

    /// The targets captured in the region with the most of them; a target and its replacement count once.
    private func most(of rows: [CaptureRow]) -> Int {
        let regions = Dictionary(grouping: rows.filter(\.isApproved), by: \.region)
        return regions.values.map { Set($0.map(\.ordinal)).count }.max() ?? 0
    }
}
