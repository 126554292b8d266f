import Domain
package import EventLog
import FoundationEssentials
import Logging
package import Postgres
import ReadModels
import Vault

/// The parts that the use cases of all features share: the log, the read models, and the reference data.
package struct Ground: Sendable {
    package let pool: PostgresPool
    package let appender: Appender
    /// Signals what this process appends, to be announced to other processes.
    package let appended = HeadSignal()
    package let log: LogState
    package let store: StreamStore
    package let reads: Reads
    package let catalogue: Catalogue
    package let places: ReferencePlaces
    package let directory: AccountDirectory
    package let signer: CommandSigner
    let contents: ContentStore
    let reservations: Reservations
    /// The folder of the reference data.
    let share: String
    let logger: Logger

    /// The clock of sessions, tokens, API keys and event streams, which tests do not control.
    static let date: @Sendable () -> Date = { Date() }

    /// The clock of everything else.
    var now: @Sendable () -> Instant { log.now }

    /// - Throws: what reading the reference data throws.
    init(
        _ database: PostgresConfiguration, share: String, pool: PostgresPool, origin: LogStart, standbys: [Standby],
        now: @escaping @Sendable () -> Instant, logger: Logger
    ) throws {
        (self.pool, self.share, self.logger) = (pool, share, logger)
        let (head, progress, reader) = (HeadSignal(), ModelProgress(), LogReader(pool))
        appender = Appender(
            configuration: database, limits: AppendLimits { $0.timeout = database.statementDeadline * 2 }, head: head,
            appended: appended, logger: logger)
        let writes = OwnWrites { ReadModel.all.map { progress.position(of: $0.name) }.min() ?? 0 }
        log = LogState(origin, reader: reader, head: head, progress: progress, writes: writes, now: now)
        store = StreamStore(reader: reader, appender: appender, writes: writes)
        reads = Reads(log: log, primary: pool, router: ReadRouter(standbys), months: MonthEnds(log), logger: logger)
        catalogue = Catalogue(TaxonQueries(pool), logger: logger)
        places = try ReferencePlaces(folder: share + "/places")
        directory = AccountDirectory(store, AccountQueries(pool), logger: logger)
        signer = CommandSigner(key: origin.key)
        contents = ContentStore(database: pool)
        reservations = Reservations(database: pool)
    }
}
