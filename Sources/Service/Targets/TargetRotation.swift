package import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels

/// Chooses the targets of each region and week, once: whoever comes second finds what the first one chose.
package struct TargetRotation: Sendable {
    /// The result of a run for one region and week.
    package struct Result: Sendable {
        /// What was found or done.
        package enum Outcome: Sendable, Equatable {
            /// Too early: the moment from which the week's targets can be chosen.
            case early(Instant)
            /// The public records are not folded up to the position that counts; a later run chooses.
            case behind
            /// The catalogue has no taxa yet.
            case withoutTaxa
            case chosen(TargetsChosen)
            /// Chosen, or missed, before.
            case settled(TargetsState.Outcome)
            /// Recorded now as a week without targets.
            case missed
            /// A past week from before the region's first choice, for which nothing is recorded.
            case beforeFirst
            /// Nothing was chosen, because the database rejected a statement, or ended it; a later run tries again.
            case failed(String)
        }

        package let region: RegionCode
        package let week: ISOWeek
        package let outcome: Outcome

        package var isFailed: Bool { if case .failed = outcome { true } else { false } }
    }

    let store: StreamStore
    let log: LogState
    let queries: TargetQueries
    let statistics: RegionStatistics
    package let calendar: TargetCalendar
    let signer: CommandSigner

    /// Chooses for some regions: the running week, and records the past weeks that were missed.
    /// - Parameters:
    ///   - regions: nil for all.
    ///   - week: instead of the running week of each region.
    ///   - isDry: appends nothing.
    /// - Throws: ``RuleViolation`` for an unknown region; what the database throws when it cannot be reached.
    package func run(
        _ regions: [RegionCode]? = nil, week: ISOWeek? = nil, isDry: Bool = false
    ) async throws -> [Result] {
        let chosen = try regions.map { try $0.map(calendar.places.index.region) } ?? calendar.places.regions
        var pass = statistics.pass()
        var results: [Result] = []
        for region in chosen {
            let running = try calendar.runningWeek(of: region)
            do {
                if week == nil { results += try await settleMissed(region, before: running, isDry: isDry) }
                results.append(try await settle(region, week ?? running, running, &pass, isDry: isDry))
            } catch let error as PostgresError where error.kind == .server && !error.isConnectionLoss {
                // The other regions do not wait for this one.
                let reason = String(reflecting: error)
                results.append(Result(region: region.code, week: week ?? running, outcome: .failed(reason)))
            }
        }
        return results
    }

    private func settle(
        _ region: Region, _ week: ISOWeek, _ running: ISOWeek, _ pass: inout RegionStatistics.Pass, isDry: Bool
    ) async throws -> Result {
        func result(_ outcome: Result.Outcome) -> Result {
            Result(region: region.code, week: week, outcome: outcome)
        }
        if week < running { return result(try await settlePast(region, week, isDry: isDry)) }
        let span = try calendar.span(of: week, in: region)
        let due = span.lowerBound.adding(seconds: LogState.settling)
        guard calendar.now() >= due else { return result(.early(due)) }
        let id = calendar.ids.targets(region.code, week)
        let found: Stored<TargetsState>? = try await store.load(id.uuid)
        if let outcome = found?.state.outcome, outcome != .open { return result(.settled(outcome)) }
        let position = try await log.position(before: span.lowerBound)
        let asked = RegionStatistics.Question(region: region.code, week: week, asOf: position)
        switch try await statistics.input(asked, plan: found?.state.plan ?? [], ids: calendar.ids, &pass) {
        case .behind: return result(.behind)
        case .withoutTaxa: return result(.withoutTaxa)
        case .input(let input):
            let event = event(TargetChoice(input), input, region, week, span, position)
            if isDry { return result(.chosen(event)) }
            return result(try await record(.choose(event), "ChooseTargets", id, region.code, week))
        }
    }

    private func event(
        _ choice: TargetChoice, _ input: TargetChoice.Input, _ region: Region, _ week: ISOWeek,
        _ span: Range<Instant>, _ position: Int64
    ) -> TargetsChosen {
        TargetsChosen(
            region: region.code, week: week, zone: region.zone, startsAt: span.lowerBound, endsAt: span.upperBound,
            asOf: Int(position), rules: TargetChoice.rules, activeObservers: input.own.activeObservers,
            targets: choice.picks.map { pick in
                ChosenTarget(
                    id: calendar.ids.target(region.code, week, pick.taxon), taxon: pick.taxon, basis: pick.basis,
                    difficulty: pick.difficulty, score: pick.score)
            },
            relaxed: choice.relaxed)
    }

    /// Records what became of a week, unless another process was first: all have the same command id and fingerprint,
    /// so the log takes the second one for a retry, and returns the first outcome.
    private func record(
        _ command: TargetsCommand, _ name: String, _ id: TargetsID, _ region: RegionCode, _ week: ISOWeek
    ) async throws -> Result.Outcome {
        let identity = signer.identity(
            account: UUID(bytes: []), command: name, target: id.uuid, key: signer.id(of: name, id.description),
            request: .empty, actor: nil)
        let outcome: Outcome<TargetsState>? = try await store.beginOrChange(id.uuid, ifVersions: nil, identity) {
            try TargetsDecider.decide(command, $0)
        }
        // Either command records something in an open week, so there is an outcome.
        switch outcome?.current.state.outcome ?? .open {
        case .chosen(let event) where command == .choose(event): return .chosen(event)
        case .missed where command == .miss(TargetsMissed(region: region, week: week)): return .missed
        case let other: return .settled(other)
        }
    }

    // MARK: - Past weeks

    /// Records the weeks since the region's first choice for which nothing was chosen.
    private func settleMissed(_ region: Region, before running: ISOWeek, isDry: Bool) async throws -> [Result] {
        let settled = try await queries.settled(of: region.code)
        guard let first = settled.first else { return [] }
        let known = Set(settled)
        var results: [Result] = []
        var week = first.adding(weeks: 1)
        while week < running {
            if !known.contains(week) {
                results.append(
                    Result(region: region.code, week: week, outcome: try await miss(region, week, isDry: isDry)))
            }
            week = week.adding(weeks: 1)
        }
        return results
    }

    private func settlePast(_ region: Region, _ week: ISOWeek, isDry: Bool) async throws -> Result.Outcome {
        let found: Stored<TargetsState>? = try await store.load(calendar.ids.targets(region.code, week).uuid)
        if let outcome = found?.state.outcome, outcome != .open { return .settled(outcome) }
        guard let first = try await queries.settled(of: region.code).first, first < week else { return .beforeFirst }
        return try await miss(region, week, isDry: isDry)
    }

    private func miss(_ region: Region, _ week: ISOWeek, isDry: Bool) async throws -> Result.Outcome {
        if isDry { return .missed }
        let missed = TargetsMissed(region: region.code, week: week)
        return try await record(
            .miss(missed), "MissTargets", calendar.ids.targets(region.code, week), region.code, week)
    }
}
