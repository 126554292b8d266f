import Domain
package import ReadModels

/// The public statistics of moderation, cached for five minutes: anyone may request them, and counting reads all
/// decisions.
package actor ModerationReport {
    private let queries: ModerationQueries
    private let log: LogState
    private var counted: (at: Instant, statistics: PublicModerationStatistics)?

    init(queries: ModerationQueries, log: LogState) {
        self.queries = queries
        self.log = log
    }

    /// The decisions of the 26 weeks that are over.
    /// - Throws: what the database throws.
    package func statistics() async throws -> PublicModerationStatistics {
        let now = log.now()
        if let counted {
            guard counted.at.adding(seconds: 300) <= now else { return counted.statistics }
            // Other callers get the previous ones meanwhile.
            self.counted = (now, counted.statistics)
        }
        let today = Instant(startOf: log.lastDay.adding(days: 1))
        let statistics = try await queries.publicStatistics(by: today)
        counted = (now, statistics)
        return statistics
    }
}
