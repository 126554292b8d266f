/// How moderation is doing, for anyone: few decisions say too much about one item, few moderators about one person.
package struct PublicModerationStatistics: Sendable {
    /// First decisions of an ISO week in UTC.
    package struct Week: Sendable {
        /// Fewer decisions have no percentiles.
        static let leastDecisions = 5

        /// Such as 2026-W21.
        package let week: String
        package let decisions: Int
        /// Seconds that half of the items waited at most; nil for few decisions.
        package let median: Double?
        /// Seconds that 95 of 100 items waited at most; nil for few decisions.
        package let p95: Double?
    }

    /// The decisions of all moderators.
    package struct Total: Sendable {
        /// Fewer moderators have no total.
        static let leastModerators = 5

        package let moderators: Int
        package let decisions: Int
        package let overturned: Int
    }

    /// Those with decisions, the oldest first.
    package let weeks: [Week]
    /// nil for few moderators.
    package let total: Total?

    init(weeks: [ModerationStatistics.Week], moderators: [ModerationStatistics.Decider]) {
        self.weeks = weeks.map { week in
            let many = week.decisions >= Week.leastDecisions
            return Week(
                week: week.week, decisions: week.decisions, median: many ? week.median : nil,
                p95: many ? week.p95 : nil)
        }
        total =
            moderators.count < Total.leastModerators
            ? nil
            : Total(
                moderators: moderators.count, decisions: moderators.reduce(0) { $0 + $1.decisions },
                overturned: moderators.reduce(0) { $0 + $1.overturned })
    }
}
