/// Public statistics of moderation. Small counts are omitted: they would reveal one item's wait or one moderator.
package struct PublicModerationStatistics: Sendable {
    /// Weeks with fewer decisions have no percentiles.
    private static let leastDecisions = 5

    /// The decisions of all moderators.
    package struct Total: Sendable {
        /// Fewer moderators have no total.
        static let leastModerators = 5

        package let moderators: Int
        package let decisions: Int
        package let overturned: Int
    }

    /// Weeks with decisions, the oldest first.
    package let weeks: [ModerationStatistics.Week]
    /// nil for few moderators.
    package let total: Total?

    init(weeks: [ModerationStatistics.Week], moderators: [ModerationStatistics.Decider]) {
        self.weeks = weeks.map { week in
            guard week.decisions < Self.leastDecisions else { return week }
            var week = week
            (week.median, week.p95) = (nil, nil)
            return week
        }
        total =
            moderators.count < Total.leastModerators
            ? nil
            : Total(
                moderators: moderators.count, decisions: moderators.reduce(0) { $0 + $1.decisions },
                overturned: moderators.reduce(0) { $0 + $1.overturned })
    }
}
