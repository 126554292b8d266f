package import JSON

/// An observation's time as its event records it: as reported, and as an interval in the zone of the place.
///
/// An instant's interval is that instant. Any other is half open: from the start of its first local day to the start of
/// the day after its last.
package struct ObservedInterval: Hashable, Sendable {
    /// The time as reported.
    package let value: ObservationTime
    /// The zone of the place's region, UTC where there is none.
    package let zone: ZoneName
    /// The first moment.
    package let from: Instant
    /// The first moment after it; for an instant the same moment.
    package let to: Instant
    /// The first local date.
    package let localFrom: CivilDate
    /// The last local date.
    package let localTo: CivilDate

    /// How precisely the time is known.
    package var precision: ObservationTime.Precision { value.precision }

    /// An interval that was computed before.
    package init(
        _ value: ObservationTime, in zone: ZoneName, from: Instant, to: Instant, localFrom: CivilDate,
        localTo: CivilDate
    ) {
        (self.value, self.zone, self.from, self.to) = (value, zone, from, to)
        (self.localFrom, self.localTo) = (localFrom, localTo)
    }

    /// Computes the interval.
    /// - Throws: ``UnknownZone`` when the rules do not know the zone.
    package init(_ value: ObservationTime, in zone: ZoneName, rules: some ZoneRules) throws(UnknownZone) {
        self.value = value
        self.zone = zone
        if case .instant(let instant, _) = value {
            let date = instant.date(offsetSeconds: try rules.offsetSeconds(of: zone, at: instant))
            (from, to, localFrom, localTo) = (instant, instant, date, date)
        } else {
            let days = value.days ?? CivilDate(dayNumber: 0)...CivilDate(dayNumber: 0)
            (localFrom, localTo) = (days.lowerBound, days.upperBound)
            from = try rules.start(of: localFrom, in: zone)
            to = try rules.start(of: localTo.adding(days: 1), in: zone)
        }
    }

    /// Checks that the observation had begun when it was received, and is not before 1600. For a date, month or year,
    /// it is enough that it had begun anywhere on Earth: see ``PlausibleTimes``.
    /// - Throws: ``RuleViolation`` naming the bound.
    package func checkPlausible(receivedAt now: Instant) throws(RuleViolation) {
        let times = PlausibleTimes(receivedAt: now)
        if precision == .instant { try times.check(from) } else { try times.check(localFrom) }
    }
}

extension ObservedInterval: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        value = try payload.required("value")
        zone = try payload.required("zone")
        from = try payload.required("from")
        to = try payload.required("to")
        localFrom = try payload.required("localFrom")
        localTo = try payload.required("localTo")
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("value", value)
            writer.field("precision", precision)
            writer.field("zone", zone)
            writer.field("from", from)
            writer.field("to", to)
            writer.field("localFrom", localFrom)
            writer.field("localTo", localTo)
        }
    }
}

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
