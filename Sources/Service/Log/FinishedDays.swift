package import Domain

/// Days (UTC) that are over, for `asOf`, `GET /v1/log` and guarded records.
///
/// The clock alone decides. If an event of the next day did too, clients that poll would learn that something was
/// recorded, perhaps a hidden record.
extension LogState {
    /// The last day that is over.
    package var lastDay: CivilDate { Self.lastDay(at: now()) }

    /// The last day that was over at a moment.
    static func lastDay(at moment: Instant) -> CivilDate {
        moment.adding(seconds: -settling).date().adding(days: -1)
    }

    /// The last position recorded by the end of a day; 0 when there is none; nil while the day is not over.
    /// - Throws: what the database throws.
    func position(atEndOf day: CivilDate) async throws -> Int64? {
        guard day <= lastDay else { return nil }
        return try await position(before: Instant(startOf: day.adding(days: 1)))
    }

    /// The seconds after midnight in which events of the previous day may still be recorded: the clocks of the database
    /// and of this process may differ by five minutes, and an append takes time to commit.
    static let settling = 600
}
