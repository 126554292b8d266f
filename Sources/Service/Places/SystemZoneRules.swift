package import Domain
import Foundation

/// Time zone rules from the system's time zone database.
package struct SystemZoneRules: ZoneRules {
    /// The rules installed on this system.
    package init() {}

    /// A zone's offset from UTC at a moment, in seconds; negative west of Greenwich.
    /// - Throws: ``UnknownZone`` for a zone that the system does not know.
    package func offsetSeconds(of zone: ZoneName, at instant: Instant) throws(UnknownZone) -> Int {
        try timeZone(zone).secondsFromGMT(for: instant.date)
    }

    /// The first moment at which a zone's clocks show a date; not always midnight.
    /// - Throws: ``UnknownZone`` for a zone that the system does not know.
    package func start(of date: CivilDate, in zone: ZoneName) throws(UnknownZone) -> Instant {
        let timeZone = try timeZone(zone)
        let midnight = Instant(startOf: date)
        // Whatever the offset, it is among those in force a day before and a day after.
        let offsets = [-86_400, 0, 86_400].map { timeZone.secondsFromGMT(for: midnight.adding(seconds: $0).date) }
        let candidates = Set(offsets).map { midnight.adding(seconds: -$0) }
        let real = candidates.filter { candidate in
            candidate.adding(seconds: timeZone.secondsFromGMT(for: candidate.date)) == midnight
        }
        if let first = real.min() { return first }
        // The clocks skip midnight: the day begins with the transition.
        let before = midnight.adding(seconds: -(offsets.max() ?? 0) - 3_600)
        guard let transition = timeZone.nextDaylightSavingTimeTransition(after: before.date) else {
            return midnight
        }
        return Instant(microsecondsSince1970: Int64((transition.timeIntervalSince1970 * 1e6).rounded()))
    }

    private func timeZone(_ zone: ZoneName) throws(UnknownZone) -> TimeZone {
        guard let found = TimeZone(identifier: zone.text) else { throw UnknownZone(zone) }
        return found
    }
}
