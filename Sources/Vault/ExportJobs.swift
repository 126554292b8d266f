package import Domain
import FoundationEssentials
package import Postgres

/// The jobs of exports: what is to be made, or made again.
package struct ExportJobs: Sendable {
    /// The kind of jobs for requested exports. The trigger `vault.follow_export` begins and ends them.
    static let kind = "export"
    /// The kind of jobs that make the bytes of an export again, or its next revision. They are counted separately,
    /// because anyone can cause them.
    static let remake = "export-again"
    private static let kinds = [kind, remake]

    /// How far a job is.
    package struct Progress: Hashable, Sendable {
        /// Whether a process is at work on it.
        package let isRunning: Bool
        package let rows: Int64
        /// Seconds until a process may claim the job; 0 if it is due or running.
        package let secondsLeft: Int

        package init(isRunning: Bool, rows: Int64, secondsLeft: Int = 0) {
            (self.isRunning, self.rows, self.secondsLeft) = (isRunning, rows, secondsLeft)
        }
    }

    private let database: any PostgresQuerying
    private let jobs: Jobs

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        (self.database, jobs) = (database, Jobs(database: database))
    }

    /// Claims the export that has waited longest, and one to be made again only when no other is due; nil for none.
    /// - Parameter lease: how long no other process gets it.
    package func claim(for lease: Duration) async throws(PostgresError) -> Job? {
        // Requests come first: they need an account, and a download that has an export made again does not.
        if let asked = try await jobs.claim(anyOf: [Self.kind], for: lease) { return asked }
        return try await jobs.claim(anyOf: [Self.remake], for: lease)
    }

    /// Renews a claim.
    /// - Returns: whether this process still has the job.
    package func renew(_ job: Job, rows: Int64, for lease: Duration) async throws(PostgresError) -> Bool {
        try await jobs.renew(job, progress: rows, for: lease)
    }

    /// Ends a claim after an attempt that failed.
    package func failed(_ job: Job, retryIn wait: Duration) async throws(PostgresError) {
        try await jobs.failed(job, retryIn: wait)
    }

    /// Ends a claim because the job cannot be done yet; that counts as no attempt, and forgets none.
    package func postpone(_ job: Job, for wait: Duration) async throws(PostgresError) {
        try await jobs.postpone(job, for: wait)
    }

    /// Ends a job with nothing left to do.
    package func drop(_ job: Job) async throws(PostgresError) {
        try await jobs.drop(job)
    }

    /// Adds a job that makes an export again, if there is room for it and the export has no job.
    /// - Parameters:
    ///   - most: the most exports that may wait to be made again; nil for no limit.
    ///   - wait: the time until the job is due. Meanwhile it does not count as waiting.
    /// - Returns: whether the export has a job now.
    package func remake(
        _ export: ExportID, atMost most: Int?, after wait: Duration
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            WITH known AS MATERIALIZED (
                SELECT FROM vault.jobs j WHERE j.kind = ANY(\(Self.kinds)) AND j.subject = \(export.uuid)),
            waiting AS MATERIALIZED (
                SELECT count(*) AS jobs FROM vault.jobs j
                 WHERE j.kind = \(Self.remake) AND (j.claim IS NOT NULL OR j.due <= log.clock())),
            begun AS (
                INSERT INTO vault.jobs (kind, subject, due)
                SELECT \(Self.remake)::text, \(export.uuid)::uuid,
                       log.clock() + make_interval(secs => \(wait / .seconds(1)))
                  FROM waiting w
                 WHERE NOT EXISTS (SELECT FROM known) AND w.jobs < \(Int64(most ?? .max))::bigint
                ON CONFLICT DO NOTHING)
            SELECT EXISTS (SELECT FROM known) OR w.jobs < \(Int64(most ?? .max))::bigint AS begun FROM waiting w
            """
        ).onlyRow().decode("begun")
    }

    /// How far the jobs of some exports are. Those without one are left out.
    package func progress(of exports: [ExportID]) async throws(PostgresError) -> [ExportID: Progress] {
        let result = try await database.query(
            """
            SELECT j.subject, bool_or(j.claim IS NOT NULL AND j.due > log.clock()) AS is_running,
                   max(j.progress) AS progress,
                   min(CASE WHEN j.claim IS NULL
                            THEN greatest(0, ceil(extract(epoch FROM j.due - log.clock()))) ELSE 0 END)::bigint
                     AS seconds_left
              FROM vault.jobs j WHERE j.kind = ANY(\(Self.kinds)) AND j.subject = ANY(\(exports.map(\.uuid)))
             GROUP BY j.subject
            """)
        var progress: [ExportID: Progress] = [:]
        for row in result.rows {
            progress[ExportID(try row.decode("subject", as: UUID.self))] = Progress(
                isRunning: try row.decode("is_running"), rows: try row.decode("progress"),
                secondsLeft: try row.decode("seconds_left"))
        }
        return progress
    }
}

extension Job {
    /// The export that the job is about.
    package var export: ExportID { ExportID(subject) }
}
