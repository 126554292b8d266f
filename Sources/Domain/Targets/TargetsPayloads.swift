/// An admin fixed some or all targets of a week that has not begun. A later plan takes the place of an earlier one.
package struct TargetsPlanned: EventPayload {
    package static let type = "TargetsPlanned"
    package var region: RegionCode
    package var week: ISOWeek
    /// At most three species; empty: none is fixed any longer.
    package var taxa: [TaxonID]

    init(region: RegionCode, week: ISOWeek, taxa: [TaxonID]) {
        (self.region, self.week, self.taxa) = (region, week, taxa)
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        region = try reader.required("region")
        week = try reader.required("week")
        taxa = try reader.list("taxa")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("region", region)
        writer.field("week", week)
        writer.field("taxa", taxa)
    }
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

    package init(
        region: RegionCode, week: ISOWeek, zone: ZoneName, startsAt: Instant, endsAt: Instant, asOf: Int, rules: Int,
        activeObservers: Int, targets: [ChosenTarget], relaxed: [Relaxation]
    ) {
        (self.region, self.week, self.zone) = (region, week, zone)
        (self.startsAt, self.endsAt) = (startsAt, endsAt)
        (self.asOf, self.rules, self.activeObservers) = (asOf, rules, activeObservers)
        (self.targets, self.relaxed) = (targets, relaxed)
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        region = try reader.required("region")
        week = try reader.required("week")
        zone = try reader.required("zone")
        startsAt = try reader.required("startsAt")
        endsAt = try reader.required("endsAt")
        asOf = try reader.integer("asOf")
        rules = try reader.integer("rules")
        activeObservers = try reader.integer("activeObservers")
        targets = try reader.list("targets")
        relaxed = try reader.list("relaxed")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("region", region)
        writer.field("week", week)
        writer.field("zone", zone)
        writer.field("startsAt", startsAt)
        writer.field("endsAt", endsAt)
        writer.field("asOf", integer: asOf)
        writer.field("rules", integer: rules)
        writer.field("activeObservers", integer: activeObservers)
        writer.field("targets", targets)
        writer.field("relaxed", relaxed)
    }
}

/// A week passed in which no process chose targets for the region.
package struct TargetsMissed: EventPayload {
    package static let type = "TargetsMissed"
    package var region: RegionCode
    package var week: ISOWeek

    package init(region: RegionCode, week: ISOWeek) {
        (self.region, self.week) = (region, week)
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        region = try reader.required("region")
        week = try reader.required("week")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("region", region)
        writer.field("week", week)
    }
}

/// An admin replaced a target in its week.
package struct TargetReplaced: EventPayload {
    package static let type = "TargetReplaced"
    package var target: TargetID
    package var replacement: ChosenTarget
    package var reason: ReplacementReason

    package init(target: TargetID, replacement: ChosenTarget, reason: ReplacementReason) {
        (self.target, self.replacement, self.reason) = (target, replacement, reason)
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        target = try reader.required("target")
        replacement = try reader.required("replacement")
        reason = try reader.required("reason")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("target", target)
        writer.field("replacement", replacement)
        writer.field("reason", reason)
    }
}
