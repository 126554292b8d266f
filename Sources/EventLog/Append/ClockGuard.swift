package import FoundationEssentials

/// Keeps one bad clock from spoiling every later time in the log: since times never go back, a jump ahead would be
/// permanent. The guard extrapolates from a reference with the machine's monotonic clock, and allows five minutes.
package struct ClockGuard: Sendable {
    /// How far ahead of the counted time an append may be recorded.
    package static let allowance: TimeInterval = 300

    private let reference: Date
    private let started: ContinuousClock.Instant

    /// - Parameters:
    ///   - databaseTime: the database's clock when the service started.
    ///   - lastRecorded: the last event's time; the reference is the later of the two.
    ///   - now: the monotonic time at which `databaseTime` was read.
    package init(databaseTime: Date, lastRecorded: Date?, now: ContinuousClock.Instant = .now) {
        reference = max(databaseTime, lastRecorded ?? databaseTime)
        started = now
    }

    /// The latest time an append may be recorded at.
    package func limit(at now: ContinuousClock.Instant = .now) -> Date {
        let elapsed = started.duration(to: now)
        return reference.addingTimeInterval(elapsed / .seconds(1) + Self.allowance)
    }
}
