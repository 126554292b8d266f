/// An admin fixed some or all targets of a week that has not begun. A later plan takes the place of an earlier one.
package struct TargetsPlanned: EventPayload {
    package static let type = "TargetsPlanned"
    package var region: RegionCode
    package var week: ISOWeek
    /// At most three species; empty: none is fixed any longer.
    package var taxa: [TaxonID]

    static let shape = Shape<Self>(
        Self.init,
        .required("region", \.region),
        .required("week", \.week),
        .list("taxa", \.taxa))
}

/// The targets of a region and week were chosen.
package struct TargetsChosen: EventPayload {
    package static let type = "TargetsChosen"
    package var region: RegionCode
    package var week: ISOWeek
    /// The region's reference zone, and when the week begins and ends in it.
    package var zone: ZoneName
    package var startsAt: Instant
    package var endsAt: Instant
    /// The last position before the week, which the statistics are as of.
    package var asOf: Int
    /// The version of the rules by which they were chosen.
    package var rules: Int
    /// The observers who recorded anything in the region in the last five seasons.
    package var activeObservers: Int
    /// At most three.
    package var targets: [ChosenTarget]
    /// The rules that had to be relaxed.
    package var relaxed: [Relaxation]

    static let shape = Shape<Self>(
        Self.init,
        .required("region", \.region),
        .required("week", \.week),
        .required("zone", \.zone),
        .required("startsAt", \.startsAt),
        .required("endsAt", \.endsAt),
        .integer("asOf", \.asOf),
        .integer("rules", \.rules),
        .integer("activeObservers", \.activeObservers),
        .list("targets", \.targets),
        .list("relaxed", \.relaxed))

    package init(
        region: RegionCode, week: ISOWeek, zone: ZoneName, startsAt: Instant, endsAt: Instant, asOf: Int, rules: Int,
        activeObservers: Int, targets: [ChosenTarget], relaxed: [Relaxation]
    ) {
        (self.region, self.week, self.zone) = (region, week, zone)
        (self.startsAt, self.endsAt) = (startsAt, endsAt)
        (self.asOf, self.rules, self.activeObservers) = (asOf, rules, activeObservers)
        (self.targets, self.relaxed) = (targets, relaxed)
    }
}

/// A week passed in which no process chose targets for the region.
package struct TargetsMissed: EventPayload {
    package static let type = "TargetsMissed"
    package var region: RegionCode
    package var week: ISOWeek

    static let shape = Shape<Self>(Self.init, .required("region", \.region), .required("week", \.week))

    package init(region: RegionCode, week: ISOWeek) {
        (self.region, self.week) = (region, week)
    }
}

/// An admin replaced a target in its week.
package struct TargetReplaced: EventPayload {
    package static let type = "TargetReplaced"
    package var target: TargetID
    package var replacement: ChosenTarget
    package var reason: ReplacementReason

    static let shape = Shape<Self>(
        Self.init,
        .required("target", \.target),
        .required("replacement", \.replacement),
        .required("reason", \.reason))

    package init(target: TargetID, replacement: ChosenTarget, reason: ReplacementReason) {
        (self.target, self.replacement, self.reason) = (target, replacement, reason)
    }
}
