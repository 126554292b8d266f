package import Domain
import FoundationEssentials
package import Postgres

/// The jobs of exports: what is to be made, or made again. The trigger `vault.follow_export` begins and ends them.
package struct ExportJobs: Sendable {
    static let kind = "export"

    /// How far a job is.
    package struct Progress: Hashable, Sendable {
        /// Whether a process is at work on it.
        package let isRunning: Bool
        package let rows: Int64

        package init(isRunning: Bool, rows: Int64) {
            (self.isRunning, self.rows) = (isRunning, rows)
        }
    }

    private let database: any PostgresQuerying
    private let jobs: Jobs

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        (self.database, jobs) = (database, Jobs(database: database))
    }

    /// Claims the export that has waited longest; nil if none is due.
    /// - Parameter lease: how long no other process gets it.
    package func claim(for lease: Duration) async throws(PostgresError) -> Job? {
        try await jobs.claim(anyOf: [Self.kind], for: lease)
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

    /// Ends a claim because the job cannot be done yet; that counts as no attempt.
    package func postpone(_ job: Job, for wait: Duration) async throws(PostgresError) {
        try await jobs.goOn(job, after: wait)
    }

    /// Ends a job with nothing left to do.
    package func drop(_ job: Job) async throws(PostgresError) {
        try await jobs.drop(job)
    }

    /// Has the bytes of an export made again if there is room for it, unless they are going to be.
    /// - Parameter most: the most exports that may wait to be made; nil for no limit.
    /// - Returns: whether they are going to be made.
    package func begin(_ export: ExportID, atMost most: Int?) async throws(PostgresError) -> Bool {
        guard let most else {
            try await begin(export)
            return true
        }
        return try await database.query(
            """
            WITH room AS MATERIALIZED (
                SELECT count(*) < \(Int64(most))::bigint AS is_free FROM vault.jobs j WHERE j.kind = \(Self.kind)),
            begun AS (
                INSERT INTO vault.jobs (kind, subject)
                SELECT \(Self.kind)::text, \(export.uuid)::uuid FROM room r WHERE r.is_free
                ON CONFLICT DO NOTHING)
            SELECT r.is_free OR EXISTS (SELECT FROM vault.jobs j
                                         WHERE j.kind = \(Self.kind) AND j.subject = \(export.uuid)) AS begun
              FROM room r
            """
        ).onlyRow().decode("begun")
    }

    /// Has the bytes of an export made again, unless they are going to be.
    package func begin(_ export: ExportID) async throws(PostgresError) {
        try await database.query(
            "INSERT INTO vault.jobs (kind, subject) VALUES (\(Self.kind), \(export.uuid)) ON CONFLICT DO NOTHING")
    }

    /// How far the jobs of some exports are. Those without one are left out.
    package func progress(of exports: [ExportID]) async throws(PostgresError) -> [ExportID: Progress] {
        let result = try await database.query(
            """
            SELECT j.subject, j.claim IS NOT NULL AND j.due > log.clock() AS is_running, j.progress
              FROM vault.jobs j WHERE j.kind = \(Self.kind) AND j.subject = ANY(\(exports.map(\.uuid)))
            """)
        var progress: [ExportID: Progress] = [:]
        for row in result.rows {
            progress[ExportID(try row.decode("subject", as: UUID.self))] = Progress(
                isRunning: try row.decode("is_running"), rows: try row.decode("progress"))
        }
        return progress
    }
}

extension Job {
    /// The export that the job is about.
    package var export: ExportID { ExportID(subject) }
}
