import Domain
package import ReadModels

/// The public statistics of moderation, cached for five minutes: anyone may request them, and counting reads all
/// decisions.
package actor ModerationReport {
    private let reads: Reads
    private let queries: ModerationQueries
    private var counted: (at: Instant, statistics: PublicModerationStatistics)?

    init(reads: Reads, queries: ModerationQueries) {
        (self.reads, self.queries) = (reads, queries)
    }

    /// The decisions of the 26 weeks that are over.
    /// - Throws: as ``Reads/wait(_:_:)``.
    package func statistics() async throws -> PublicModerationStatistics {
        let now = reads.log.now()
        if let counted {
            guard counted.at.adding(seconds: 300) <= now else { return counted.statistics }
            // Other callers get the previous ones meanwhile.
            self.counted = (now, counted.statistics)
        }
        try await reads.wait(ModerationQueries.statistics, Asked())
        let today = Instant(startOf: reads.log.lastDay.adding(days: 1))
        let statistics = try await queries.publicStatistics(by: today)
        counted = (now, statistics)
        return statistics
    }
}
