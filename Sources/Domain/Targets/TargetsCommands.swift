/// The commands of the targets of one region and week.
package enum TargetsCommand: Equatable, Sendable {
    case plan(PlanTargets)
    case choose(TargetsChosen)
    case miss(TargetsMissed)
    case replace(ReplaceTarget)
}

/// Fixes targets of a week that has not begun.
package struct PlanTargets: Equatable, Sendable {
    package var region: RegionCode
    package var week: ISOWeek
    /// Species that can be targets.
    package var taxa: [TaxonID]
    /// Whether the week has begun.
    package var hasBegun: Bool

    package init(region: RegionCode, week: ISOWeek, taxa: [TaxonID], hasBegun: Bool) {
        (self.region, self.week, self.taxa, self.hasBegun) = (region, week, taxa, hasBegun)
    }
}

/// Replaces a target in its week.
package struct ReplaceTarget: Equatable, Sendable {
    package var target: TargetID
    package var replacement: ChosenTarget
    package var reason: ReplacementReason
    package var at: Instant

    package init(target: TargetID, replacement: ChosenTarget, reason: ReplacementReason, at moment: Instant) {
        (self.target, self.replacement, self.reason, self.at) = (target, replacement, reason, moment)
    }
}

/// Why a command is rejected.
package enum TargetsRejection: Error, Equatable, Sendable {
    /// The week has begun, so that nothing can be planned for it.
    case weekHasBegun
    /// The week is over, has no targets yet, or had none.
    case noRunningWeek
    /// None of the week's targets has that id.
    case unknownTarget
    /// The species is, or was, a target of the week.
    case alreadyTarget
    /// More than three species, or one of them twice.
    case tooMany
}
