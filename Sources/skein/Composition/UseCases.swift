import Domain
import EventLog
import FoundationEssentials
import Logging
import Postgres
import ReadModels
import Service
import Vault

/// Everything the service can do, put together once over one appender and one pool.
struct UseCases: Sendable {
    let appender: Appender
    let log: LogState
    let head: HeadSignal
    let appended: HeadSignal
    let progress: ModelProgress
    let catalogue: Catalogue
    let places: ReferencePlaces
    let store: StreamStore
    let accounts: AccountService
    let sightings: SightingService
    let sessions: Sessions
    let accessTokens: AccessTokens
    let sessionUpkeep: SessionUpkeep
    let imports: ImportLog
    private let pool: PostgresPool

    init(
        _ database: Database, _ installation: Installation, pool: PostgresPool, origin: LogStart, logger: Logger
    ) throws {
        self.pool = pool
        head = HeadSignal()
        appended = HeadSignal()
        progress = ModelProgress()
        appender = Appender(configuration: database.service, head: head, appended: appended, logger: logger)
        let reader = LogReader(pool)
        log = LogState(
            epoch: origin.epoch, startPosition: origin.position, reader: reader, head: head, progress: progress)
        store = StreamStore(reader: reader, appender: appender)
        catalogue = Catalogue(TaxonQueries(pool), logger: logger)
        places = try ReferencePlaces(folder: installation.share + "/places")
        let signer = CommandSigner(key: origin.key)
        imports = ImportLog(pool: pool, appender: appender, signer: signer)
        let contents = ContentStore(database: pool)
        let passwords = PasswordHasher()
        accounts = AccountService(
            store: store, contents: contents, reservations: Reservations(database: pool), passwords: passwords,
            policy: try PasswordPolicy(contentsOf: installation.share + "/passwords/common.txt"),
            places: places.index, signer: signer)
        sightings = SightingService(
            store: store, contents: contents, accounts: AccountDirectory(store), catalogue: catalogue,
            places: places.index, zones: SystemZoneRules(), signer: signer, now: Self.instant)
        accessTokens = AccessTokens(keys: SigningKeys(database: pool), now: Self.date)
        let refreshTokens = RefreshTokens(database: pool)
        sessions = Sessions(
            accounts: StoredAccounts(store: store, passwords: PasswordRecords(database: pool)), passwords: passwords,
            refreshTokens: refreshTokens, accessTokens: accessTokens, now: Self.date)
        sessionUpkeep = SessionUpkeep(
            accessTokens: accessTokens, refreshTokens: refreshTokens, logger: logger, now: Self.date)
    }

    private static let date: @Sendable () -> Date = { Date() }
    private static let instant: @Sendable () -> Instant = { .now }

    /// Brings a read model up to the head, and says so to who waits for it.
    func follow(_ model: ReadModel, logger: Logger) async throws {
        try await Follower(model, pool: pool, head: head, progress: progress, logger: logger).catchUp()
    }

    /// Runs something with all use cases at work, for a command that does one thing.
    static func with(
        _ database: Database, _ installation: Installation, logger: Logger,
        _ body: @Sendable (UseCases) async throws -> Void
    ) async throws {
        try await database.migrate(installation, logger: logger)
        try await database.withPool(logger: logger) { pool in
            let origin = try await LogStart.read(pool)
            let cases = try UseCases(database, installation, pool: pool, origin: origin, logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await cases.appender.run() }
                let result: Result<Void, any Error>
                do { result = .success(try await body(cases)) } catch { result = .failure(error) }
                await cases.appender.close()
                try await group.waitForAll()
                try result.get()
            }
        }
    }
}

/// The log as a process finds it when it starts.
struct LogStart: Sendable {
    let epoch: Int64
    /// The head.
    let position: Int64
    /// The key of the fingerprints.
    let key: [UInt8]

    static func read(_ pool: PostgresPool) async throws -> LogStart {
        let origin = try await LogOrigin.read(pool)
        let key: [UInt8] = try await pool.query("select key from log.head").onlyRow().decode("key")
        return LogStart(epoch: origin.epoch, position: origin.position, key: key)
    }
}
