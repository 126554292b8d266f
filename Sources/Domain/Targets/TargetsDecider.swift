/// Decides the commands of the targets of one region and week.
package enum TargetsDecider: Decider {
    /// The number of targets a week.
    package static let count = 3

    /// - Throws: ``TargetsRejection``.
    package static func decide(
        _ command: TargetsCommand, _ state: TargetsState
    ) throws(TargetsRejection) -> Decision<TargetsEvent> {
        switch command {
        case .plan(let plan):
            return try self.plan(plan, state)
        case .choose(let choice):
            // Another process was first.
            return state.outcome == .open ? Decision(events: [.chosen(choice)]) : .nothing
        case .miss(let missed):
            return state.outcome == .open ? Decision(events: [.missed(missed)]) : .nothing
        case .replace(let replacement):
            return try replace(replacement, state)
        }
    }

    private static func plan(
        _ command: PlanTargets, _ state: TargetsState
    ) throws(TargetsRejection) -> Decision<TargetsEvent> {
        guard !command.hasBegun, state.outcome == .open else { throw .weekHasBegun }
        guard command.taxa.count <= count, Set(command.taxa).count == command.taxa.count else { throw .tooMany }
        guard command.taxa != state.plan else { return .nothing }
        return Decision(events: [
            .planned(TargetsPlanned(region: command.region, week: command.week, taxa: command.taxa))
        ])
    }

    private static func replace(
        _ command: ReplaceTarget, _ state: TargetsState
    ) throws(TargetsRejection) -> Decision<TargetsEvent> {
        guard case .chosen(let choice) = state.outcome, choice.startsAt <= command.at, command.at < choice.endsAt else {
            throw .noRunningWeek
        }
        guard state.targets.contains(where: { $0.id == command.target }) else { throw .unknownTarget }
        let taken = state.targets + state.replaced.map(\.target)
        guard !taken.contains(where: { $0.taxon == command.replacement.taxon }) else { throw .alreadyTarget }
        return Decision(events: [
            .replaced(
                TargetReplaced(
                    target: command.target, replacement: command.replacement, reason: command.reason))
        ])
    }
}
