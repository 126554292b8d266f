import Domain
import HTTPTypes
import Hummingbird
package import JSON
import ReadModels
package import Service
package import Web

/// A birder's targets of the week, and the progress over the weeks.
package struct OwnTargetRoutes: RouteGroup {
    let targets: OwnTargets
    let catalogue: Catalogue
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/me/targets", .signedIn, reads: [.query, .position], problems: [.gone, .modelBehind], week),
            Route(
                .get, "/v1/me/progress", .signedIn, reads: [.query, .position], problems: [.gone, .modelBehind],
                progress),
        ]
    }

    private func week(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let account = try context.signedIn().accountID
        let week = try await targets.week(of: account, seeing: try await wait(request, account))
        return .json(JSONWriter.bytes(of: week), headers: try HTTPFields(privateAt: week.position, of: log))
    }

    private func progress(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let account = try context.signedIn().accountID
        let position = try await wait(request, account)
        let (week, captures) = try await targets.progress(of: account, seeing: position)
        let names = catalogue.names
        let view = ProgressView(
            week: week, captures: captures, running: week.week?.week ?? ISOWeek(of: log.now().date()),
            kind: { names.summary(of: $0)?.kind })
        return .json(JSONWriter.bytes(of: view), headers: try HTTPFields(privateAt: week.position, of: log))
    }

    private func wait(_ request: Request, _ account: AccountID) async throws -> Int64 {
        let reads = ReadYourWrites(log)
        let position = try await reads.wait(request.headers, model: FindingReader.model, account: account)
        for model in OwnTargets.models { try await reads.wait([:], model: model, after: position) }
        return position
    }
}

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
private struct ProgressView: JSONRepresentable {
    let week: OwnWeek
    let captures: [CaptureRow]
    let running: ISOWeek
    let kind: (TaxonID) -> TaxonKind?

    func write(to writer: inout JSONWriter) {
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
