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
    let accounts: AccountDirectory
    let targets: TargetReader
    let reads: Reads
    let now: @Sendable () -> Instant

    /// The running week of the account's region.
    /// - Throws: ``CommandError/notFound``; as ``Reads/read(_:_:_:)``.
    package func week(of account: AccountID, _ asked: Asked) async throws -> OwnWeek {
        guard let region = try await region(of: account, asked) else {
            return OwnWeek(week: nil, captures: [:], at: now(), position: reads.position(asked))
        }
        let week = try targets.runningWeek(of: region)
        async let shown = targets.week(region, week, asked)
        let found = try await reads.read(CaptureQueries.plan, asked) {
            try await CaptureQueries($0.pool).captures(of: account, in: (region.code, week))
        }
        return own(try await shown.value, found)
    }

    /// The running week of the account's region, and the progress over all weeks.
    /// - Throws: ``CommandError/notFound``; as ``Reads/read(_:_:_:)``.
    package func progress(of account: AccountID, _ asked: Asked) async throws -> OwnProgress {
        let region = try await region(of: account, asked)
        async let found = reads.read(CaptureQueries.plan, asked) {
            try await CaptureQueries($0.pool).captures(of: account)
        }
        let shown: ShownWeek? =
            if let region {
                try await targets.week(region, try targets.runningWeek(of: region), asked).value
            } else { nil }
        return OwnProgress(
            own(shown, try await found), try await found.value, running: shown?.week ?? ISOWeek(of: now().date()),
            names: targets.catalogue.names)
    }

    /// - Parameter captures: also of other weeks and regions, which have other targets.
    private func own(_ week: ShownWeek?, _ captures: Shown<[CaptureRow]>) -> OwnWeek {
        OwnWeek(
            week: week, captures: Dictionary(captures.value.map { ($0.target, $0) }) { first, _ in first }, at: now(),
            position: captures.position)
    }

    private func region(of account: AccountID, _ asked: Asked) async throws -> Region? {
        try await accounts.status(of: account, seeing: reads.position(asked)).region.map { try targets.region($0) }
    }
}
