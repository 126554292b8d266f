/// Where the primary's WAL ended at recent moments, from which a standby's lag in time is computed.
///
/// `pg_last_xact_replay_timestamp()` is old both when the primary is idle and when a standby receives nothing. One that
/// has replayed all that the primary had written a second ago is a second behind at most.
struct ReplayHistory: Sendable {
    private struct Sample {
        var at: ContinuousClock.Instant
        /// In bytes.
        var end: Int64
    }

    /// Older samples are dropped; a longer lag is not known.
    private let span: Duration
    private var samples: [Sample] = []

    init(span: Duration) {
        self.span = span
    }

    /// Notes the end of the primary's WAL.
    /// - Parameters:
    ///   - end: `pg_current_wal_lsn()`, in bytes.
    ///   - moment: not later than the primary looked.
    mutating func append(_ end: Int64, at moment: ContinuousClock.Instant) {
        samples.removeAll { $0.at.duration(to: moment) > span }
        samples.append(Sample(at: moment, end: end))
    }

    /// An upper bound of a standby's lag: the time since the primary had written no more than the standby has replayed.
    /// - Parameter replayed: the standby's `pg_last_wal_replay_lsn()`, in bytes.
    /// - Returns: nil when it is not known, because the standby lacks even what the oldest sample shows.
    func lag(of replayed: Int64, at now: ContinuousClock.Instant) -> Duration? {
        samples.last { $0.end <= replayed }.map { $0.at.duration(to: now) }
    }
}
