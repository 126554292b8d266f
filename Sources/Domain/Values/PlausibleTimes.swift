/// The times that are plausible for an observation, or for its outing, when it is received.
package struct PlausibleTimes: Sendable {
    /// How far a device's clock may be ahead of the service's, in seconds.
    package static let graceSeconds = 15 * 60
    /// The greatest offset from UTC, in seconds: that of Kiribati's Line Islands (UTC+14).
    package static let earliestZoneSeconds = 14 * 3600
    /// Wildlife records with a time do not reach further back.
    package static let earliestYear = 1600

    private let receivedAt: Instant

    package init(receivedAt: Instant) {
        self.receivedAt = receivedAt
    }

    /// Checks a moment.
    /// - Throws: ``RuleViolation`` naming the bound.
    package func check(_ moment: Instant) throws(RuleViolation) {
        try check(isInFuture: moment > latest, year: moment.date().year)
    }

    /// Checks the first day of a date, month or year. A day has begun when it has begun anywhere on Earth: a place in
    /// no region has no known zone, and UTC, which is used instead, is a date behind New Zealand for half of each day.
    /// - Throws: ``RuleViolation`` naming the bound.
    package func check(_ day: CivilDate) throws(RuleViolation) {
        try check(isInFuture: day > latest.date(offsetSeconds: Self.earliestZoneSeconds), year: day.year)
    }

    /// The latest moment that is not in the future.
    private var latest: Instant { receivedAt.adding(seconds: Self.graceSeconds) }

    private func check(isInFuture: Bool, year: Int) throws(RuleViolation) {
        if isInFuture { throw RuleViolation(.range, "must not be in the future") }
        if year < Self.earliestYear { throw RuleViolation(.range, "must not be before the year 1600") }
    }
}
