/// The rules of the world's time zones. They change by decree, so they are not part of the domain.
package protocol ZoneRules: Sendable {
    /// Seconds that a zone's clocks are ahead of UTC at a moment; negative west of Greenwich.
    /// - Throws: ``UnknownZone`` for a zone without rules.
    func offsetSeconds(of zone: ZoneName, at instant: Instant) throws(UnknownZone) -> Int

    /// The first moment at which a zone's clocks show a date; not always midnight.
    /// - Throws: ``UnknownZone`` for a zone without rules.
    func start(of date: CivilDate, in zone: ZoneName) throws(UnknownZone) -> Instant
}

/// A zone for which there are no rules.
package struct UnknownZone: Error, Hashable, Sendable {
    package let zone: ZoneName

    package init(_ zone: ZoneName) {
        self.zone = zone
    }
}
