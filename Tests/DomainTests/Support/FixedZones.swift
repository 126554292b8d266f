import Domain

/// Zones without summer time: enough to distinguish local days from days in UTC.
struct FixedZones: ZoneRules {
    static let hours = ["UTC": 0, "America/Los_Angeles": -8, "Asia/Tokyo": 9]

    func offsetSeconds(of zone: ZoneName, at instant: Instant) throws(UnknownZone) -> Int {
        guard let hours = Self.hours[zone.text] else { throw UnknownZone(zone) }
        return hours * 3600
    }

    func start(of date: CivilDate, in zone: ZoneName) throws(UnknownZone) -> Instant {
        let start = Instant(startOf: date)
        return start.adding(seconds: -(try offsetSeconds(of: zone, at: start)))
    }
}
