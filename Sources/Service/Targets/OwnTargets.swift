package import Domain
import EventLog
import FoundationEssentials
import Postgres
package import ReadModels

/// The week of an account's region, with what the account has captured.
package struct OwnWeek: Sendable {
    /// nil for an account without a region.
    package let week: ShownWeek?
    /// By target; those that are missing have no finding.
    package let captures: [TargetID: CaptureRow]
    /// When it was read.
    package let at: Instant
    /// A position that it reflects at least.
    package let position: Int64
}

/// Reads an account's targets and progress.
package struct OwnTargets: Sendable {
    /// The names of the models that an answer reflects besides that of findings.
    package static let models = CaptureQueries.models.map(\.name) + TargetReader.modelNames + [PublicReader.model]

    let accounts: AccountDirectory
    let targets: TargetReader
    let router: ReadRouter
    let now: @Sendable () -> Instant

    /// The running week of the account's region.
    /// - Parameter position: what the answer must reflect; the primary's models have reached it.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func week(of account: AccountID, seeing position: Int64) async throws -> OwnWeek {
        guard let region = try await region(of: account, seeing: position) else {
            return OwnWeek(week: nil, captures: [:], at: now(), position: position)
        }
        let week = try targets.runningWeek(of: region)
        async let shown = targets.week(region, week, PublicReads.Wish(position: position))
        let (captures, reached) = try await read(seeing: position) { queries in
            try await queries.captures(of: account, in: (region.code, week))
        }
        return own(try await shown.week, captures, reached)
    }

    /// The running week of the account's region, and the progress over all weeks.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func progress(of account: AccountID, seeing position: Int64) async throws -> OwnProgress {
        let region = try await region(of: account, seeing: position)
        async let found = read(seeing: position) { try await $0.captures(of: account) }
        let shown: ShownWeek? =
            if let region {
                try await targets.week(
                    region, try targets.runningWeek(of: region), PublicReads.Wish(position: position)
                ).week
            } else { nil }
        let (captures, reached) = try await found
        return OwnProgress(
            own(shown, captures, reached), captures, running: shown?.week ?? ISOWeek(of: now().date()),
            names: targets.catalogue.names)
    }

    /// - Parameter captures: also of other weeks and regions, which have other targets.
    private func own(_ week: ShownWeek?, _ captures: [CaptureRow], _ reached: Int64) -> OwnWeek {
        OwnWeek(
            week: week, captures: Dictionary(captures.map { ($0.target, $0) }) { first, _ in first }, at: now(),
            position: reached)
    }

    private func read(
        seeing position: Int64, _ body: @escaping @Sendable (CaptureQueries) async throws -> [CaptureRow]
    ) async throws -> ([CaptureRow], Int64) {
        let others = Array(CaptureQueries.models.dropFirst())
        return try await router.read(.sightingsExact, with: others, seeing: position) { source in
            (try await body(CaptureQueries(source.pool)), source.position)
        }
    }

    private func region(of account: AccountID, seeing position: Int64) async throws -> Region? {
        try await accounts.status(of: account, seeing: position).region.map { try targets.region($0) }
    }
}
