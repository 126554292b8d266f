package import JSON

/// One outing that several sightings share, with its survey effort.
package struct Visit: Hashable, Sendable {
    /// The outing's own id, chosen by the observer's device.
    package let id: VisitID
    package let startedAt: Instant
    /// How long it took, in minutes: 1 to 1,440.
    package let minutes: Int?
    /// The distance covered, in kilometres: 0 to 1,000.
    package let distanceKm: Double?
    /// How many people were watching: 1 to 10,000.
    package let observers: Int?
    /// Whether every species that could be identified is listed.
    package let complete: Bool?

    /// Checks an outing.
    /// - Throws: ``Faults`` with pointers relative to the outing, all at once.
    package init(
        id: VisitID, startedAt: Instant, minutes: Int? = nil, distanceKm: Double? = nil, observers: Int? = nil,
        complete: Bool? = nil
    ) throws(Faults) {
        var faults = Faults()
        if let minutes, !Self.minutesBounds.contains(minutes) {
            faults.add("/minutes", .wholeNumber(Self.minutesBounds))
        }
        if let distanceKm, !(0...1000).contains(distanceKm) { faults.add("/distanceKm", Self.distanceRule) }
        if let observers, !Self.observersBounds.contains(observers) {
            faults.add("/observers", .wholeNumber(Self.observersBounds))
        }
        try faults.throwIfAny()
        self.id = id
        self.startedAt = startedAt
        self.minutes = minutes
        self.distanceKm = distanceKm.map { $0 + 0.0 }
        self.observers = observers
        self.complete = complete
    }

    /// Checks that the outing had begun when it was received, and is not before 1600.
    /// - Throws: ``Faults`` with pointers relative to the outing.
    package func checkPlausible(receivedAt now: Instant) throws(Faults) {
        var faults = Faults()
        faults.check("/startedAt") { try PlausibleTimes(receivedAt: now).check(startedAt) }
        try faults.throwIfAny()
    }

    private static let minutesBounds = 1...1440
    private static let observersBounds = 1...10_000
    private static let distanceRule = RuleViolation(.range, "must be kilometres from 0 to 1,000")
}

extension Visit: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        let id: VisitID = try payload.required("id")
        let startedAt: Instant = try payload.required("startedAt")
        do throws(Faults) {
            try self.init(
                id: id, startedAt: startedAt, minutes: payload["minutes"]?.integer,
                distanceKm: payload["distanceKm"]?.number, observers: payload["observers"]?.integer,
                complete: payload["complete"]?.boolean)
        } catch {
            throw RuleViolation(.range, error.all.map { "\($0.pointer) \($0.message)" }.joined(separator: "; "))
        }
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("startedAt", startedAt)
            if let minutes { writer.field("minutes", integer: minutes) }
            if let distanceKm { writer.field("distanceKm", number: distanceKm) }
            if let observers { writer.field("observers", integer: observers) }
            if let complete { writer.field("complete", complete) }
        }
    }
}
