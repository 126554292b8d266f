package import EventLog
package import FoundationEssentials
package import Postgres

/// The health of the service at one moment.
package struct ServiceStatus: Sendable {
    /// nil: the database does not answer.
    package let epoch: Int64?
    /// The epoch that this process works in; nil for one that only reports.
    package let ownEpoch: Int64?
    /// The log's highest position; 0 where the database does not answer.
    package let head: Int64
    /// The last event's time.
    package let recordedAt: Date?
    /// The reason why this program cannot work with the database's schema; nil if it can.
    package let schemaFault: String?
    /// Migrations of a newer program, with which this one can work.
    package let newerMigrations: [String]
    /// nil: the database does not answer.
    package let clock: LogClock?
    /// Empty partitions above the head.
    package let emptyPartitions: Int
    /// Every read model that this build has; none where the database does not answer.
    package let models: [ModelStatus]
    /// The standbys in `DATABASE_READ_URL`, whether or not they are read from.
    package let standbys: [StandbyStatus]
    /// The connections of this process.
    package let pool: PostgresPoolSnapshot
    /// nil where there is no appender in this process.
    package let appends: AppendStatistics?
    /// Commands waiting or in flight.
    package let queueDepth: Int
    /// Where photos are written; nil for a process that writes none.
    package let disk: DiskSpace.State?
    /// Why the database does not answer.
    package let failure: PostgresError?
}

/// Checks the health of the service.
package struct StatusReporter: Sendable {
    private let pool: PostgresPool
    private let appender: Appender?
    private let reader: LogReader
    private let models: [ReadModel]
    private let partitions: PartitionKeeper
    private let migrator: Migrator
    private let epoch: Int64?
    private let guardian: EpochGuard?
    private let standbys: [Standby]
    private let disk: DiskSpace?

    /// - Parameters:
    ///   - appender: this process's, if it has one.
    ///   - epoch: the one that this process works in, if any.
    ///   - guardian: notices that the log has moved, in a process that serves.
    ///   - standbys: those that this process looks at.
    ///   - migrator: knows the migrations that the database should have.
    ///   - disk: where photos are written, in a process that serves.
    package init(
        pool: PostgresPool, appender: Appender?, epoch: Int64?, guardian: EpochGuard? = nil, standbys: [Standby] = [],
        models: [ReadModel], partitions: PartitionKeeper, migrator: Migrator, disk: DiskSpace? = nil
    ) {
        self.pool = pool
        self.appender = appender
        reader = LogReader(pool)
        self.models = models
        self.partitions = partitions
        self.migrator = migrator
        self.epoch = epoch
        self.guardian = guardian
        self.standbys = standbys
        self.disk = disk
    }

    /// Whether this process must be ended and started again because the log has moved.
    package var isEnding: Bool { guardian?.departure != nil }

    package func status() async -> ServiceStatus {
        let appends = appender?.statistics
        let depth = appender?.depth ?? 0
        let standbys = standbys.map(\.status)
        let disk = disk?.state
        do throws(PostgresError) {
            let origin = try await reader.origin()
            let checkpoints = try await Checkpoint.all(pool)
            let schema = try await schema()
            return ServiceStatus(
                epoch: origin.epoch, ownEpoch: epoch, head: origin.position, recordedAt: origin.lastRecorded,
                schemaFault: schema.fault, newerMigrations: schema.newer, clock: try await LogClock.read(pool),
                emptyPartitions: try await partitions.empty(),
                models: models.map { ModelStatus($0, checkpoints, head: origin.position) },
                standbys: standbys, pool: pool.snapshot, appends: appends, queueDepth: depth, disk: disk,
                failure: nil)
        } catch {
            return ServiceStatus(
                epoch: nil, ownEpoch: epoch, head: 0, recordedAt: nil, schemaFault: nil, newerMigrations: [],
                clock: nil, emptyPartitions: 0, models: [], standbys: standbys, pool: pool.snapshot,
                appends: appends, queueDepth: depth, disk: disk, failure: error)
        }
    }

    private func schema() async throws(PostgresError) -> (fault: String?, newer: [String]) {
        do throws(MigrationError) {
            let status = try await migrator.status(of: pool)
            let pending = status.pending.map(\.name).joined(separator: ", ")
            return (pending.isEmpty ? nil : "not applied: " + pending, status.newer.map(\.name))
        } catch {
            if case .database(let error) = error { throw error }
            return (error.description, [])
        }
    }
}
