package import Domain
import EventLog

/// The weeks of the regions, each in its own zone.
package struct TargetCalendar: Sendable {
    let places: ReferencePlaces
    let zones: any ZoneRules
    let ids = TargetIDs()
    let now: @Sendable () -> Instant

    /// The week that it is in a region.
    package func runningWeek(of region: Region) throws -> ISOWeek {
        let moment = now()
        return ISOWeek(of: moment.date(offsetSeconds: try zones.offsetSeconds(of: region.zone, at: moment)))
    }

    /// The running week of each region.
    func runningWeeks() throws -> [RegionCode: ISOWeek] {
        try Dictionary(uniqueKeysWithValues: places.regions.map { ($0.code, try runningWeek(of: $0)) })
    }

    /// A region's week in its zone.
    func span(of week: ISOWeek, in region: Region) throws -> Range<Instant> {
        try zones.start(
            of: week.monday, in: region.zone)..<zones.start(
                of: week.adding(weeks: 1).monday, in: region.zone)
    }
}

/// Ids derived from a region and a week: the same in every process.
package struct TargetIDs: Sendable {
    package init() {}

    /// The id of the targets of a region and week, which is also the id of their stream.
    package func targets(_ region: RegionCode, _ week: ISOWeek) -> TargetsID {
        TargetsID(CommandID.named("targets", region.text, week.description))
    }

    /// The id of one target.
    package func target(_ region: RegionCode, _ week: ISOWeek, _ taxon: TaxonID) -> TargetID {
        TargetID(CommandID.named("target", region.text, week.description, taxon.description))
    }
}
