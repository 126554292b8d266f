package import FoundationEssentials
package import Postgres

/// Work that this process has claimed: no other process does it until the claim has ended.
package struct Job: Hashable, Sendable {
    package let kind: String
    /// The row that it is about.
    package let subject: UUID
    /// The attempts since the last step that succeeded, this one included. Postponed ones do not count.
    package let attempts: Int
    /// How far the job is. The unit depends on the kind.
    package let progress: Int64
    fileprivate let claim: UUID
}

/// How long a job waits after an attempt that failed.
package struct RetryDelays: Sendable {
    /// After the first attempt.
    let first: Duration
    /// The wait is multiplied by this after each further attempt.
    let factor: Int
    /// The longest wait.
    let most: Duration

    package init(first: Duration, times factor: Int, most: Duration) {
        (self.first, self.factor, self.most) = (first, factor, most)
    }

    /// - Parameter attempts: how many have failed.
    package func wait(after attempts: Int) -> Duration {
        var wait = first
        for _ in 1..<max(1, attempts) where wait < most { wait *= factor }
        return min(wait, most)
    }
}

/// The work that the processes of the service share. Each job is claimed by one of them when it is due. If a claim is
/// neither renewed nor ended in time, another process takes the job over. Times are the database's, so that processes
/// whose clocks differ agree on them.
///
/// A row that needs work gets its job in the transaction that writes the row. ``done(_:after:)`` deletes the job in the
/// statement that records that the work is done.
package struct Jobs: Sendable {
    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Claims the job that has been due for the longest time; nil if none is due. If several processes claim at once,
    /// one gets it.
    /// - Parameters:
    ///   - kinds: those that the caller can do.
    ///   - lease: how long no other process gets it.
    package func claim(anyOf kinds: [String], for lease: Duration) async throws(PostgresError) -> Job? {
        let claim = UUID()
        let result = try await database.query(
            """
            WITH next AS MATERIALIZED (
                SELECT c.kind, c.subject FROM vault.jobs c
                 WHERE c.due <= log.clock() AND c.kind = ANY(\(kinds))
                 ORDER BY c.due LIMIT 1 FOR UPDATE SKIP LOCKED)
            UPDATE vault.jobs j
               SET claim = \(claim), attempts = j.attempts + 1,
                   due = log.clock() + make_interval(secs => \(lease / .seconds(1)))
              FROM next n
             WHERE j.kind = n.kind AND j.subject = n.subject
            RETURNING j.kind, j.subject, j.attempts, j.progress
            """)
        guard let row = result.first else { return nil }
        let attempts: Int32 = try row.decode("attempts")
        return Job(
            kind: try row.decode("kind"), subject: try row.decode("subject"), attempts: Int(attempts),
            progress: try row.decode("progress"), claim: claim)
    }

    /// Renews a claim, and records how far the job is, also if another process has taken the job over.
    /// - Returns: whether this process still has the job.
    package func renew(
        _ job: Job, progress: Int64? = nil, for lease: Duration
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            UPDATE vault.jobs
               SET progress = greatest(progress, \(progress ?? job.progress)),
                   due = CASE WHEN claim = \(job.claim) THEN log.clock() + make_interval(secs => \(lease / .seconds(1)))
                              ELSE due END
             WHERE kind = \(job.kind) AND subject = \(job.subject)
            RETURNING claim = \(job.claim) AS held
            """
        ).first?.decode("held", as: Bool?.self) ?? false
    }

    /// Ends a claim after a step that succeeded.
    /// - Parameter wait: the time until the next step is due.
    package func goOn(_ job: Job, after wait: Duration) async throws(PostgresError) {
        try await database.query(
            """
            UPDATE vault.jobs
               SET claim = NULL, attempts = 0, due = log.clock() + make_interval(secs => \(wait / .seconds(1)))
             WHERE \(fragment: Self.held(job))
            """)
    }

    /// Ends a claim because the job cannot be done yet: the attempt does not count, those that failed before it do.
    /// - Parameter wait: the time until the job is due again.
    package func postpone(_ job: Job, for wait: Duration) async throws(PostgresError) {
        try await database.query(
            """
            UPDATE vault.jobs
               SET claim = NULL, attempts = greatest(0, attempts - 1),
                   due = log.clock() + make_interval(secs => \(wait / .seconds(1)))
             WHERE \(fragment: Self.held(job))
            """)
    }

    /// Ends a claim after an attempt that failed.
    /// - Parameter wait: the time until the job is due again.
    package func failed(_ job: Job, retryIn wait: Duration) async throws(PostgresError) {
        try await database.query(
            """
            UPDATE vault.jobs SET claim = NULL, due = log.clock() + make_interval(secs => \(wait / .seconds(1)))
             WHERE \(fragment: Self.held(job))
            """)
    }

    /// Ends a job whose subject is gone.
    package func drop(_ job: Job) async throws(PostgresError) {
        try await database.query(Self.done(job))
    }

    /// A statement that deletes a job, to be part of the statement that records at its subject that the work is done.
    /// It returns a row `subject` if this process still has the job.
    /// - Parameter subject: a common table expression that locks the subject first.
    static func done(_ job: Job, after subject: String? = nil) -> SQL {
        let locked: SQL = subject.map { "EXISTS (SELECT FROM \(identifier: $0)) AND " } ?? ""
        return "DELETE FROM vault.jobs WHERE \(fragment: locked) \(fragment: held(job)) RETURNING subject"
    }

    /// The condition that this process still has the job: no other process has claimed it since.
    private static func held(_ job: Job) -> SQL {
        "kind = \(job.kind) AND subject = \(job.subject) AND claim = \(job.claim)"
    }
}
