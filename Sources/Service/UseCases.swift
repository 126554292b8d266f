package import Domain
package import EventLog
import FoundationEssentials
package import Logging
import PhotoStore
package import Postgres
import ReadModels
import Vault

/// All use cases over one appender and one pool, as the program and tests run them.
package struct UseCases: Sendable {
    package let appender: Appender
    package let log: LogState
    package let head: HeadSignal
    package let appended: HeadSignal
    package let progress: ModelProgress
    package let catalogue: Catalogue
    package let places: ReferencePlaces
    package let store: StreamStore
    package let accounts: AccountService
    package let directory: AccountDirectory
    package let sightings: SightingService
    package let photos: PhotoService
    package let uploads: PhotoUploads
    package let moderation: ModerationService
    package let moderationQueue: ModerationQueue
    package let moderationReport: ModerationReport
    package let decisionBatches: DecisionBatches
    package let notifications: NotificationService
    package let eventStreams: EventStreams
    package let flags: FlagService
    package let mail: MailQueue
    package let passwords: Passwords
    package let verifications: EmailVerifications
    package let leaving: Leaving
    package let keys: AccountKeys
    package let favourites: FavouriteService
    package let ownData: OwnData
    package let sessions: Sessions
    package let accessTokens: AccessTokens
    package let callers: Callers
    package let sessionUpkeep: SessionUpkeep
    package let imports: ImportLog
    package let findings: OwnReads
    package let ownLists: OwnLists
    package let records: PublicReads
    package let photoFiles: PublicPhotoFiles
    package let webPs: WebPCache
    package let taxa: TaxonService
    package let rotation: TargetRotation
    package let targetReader: TargetReader
    package let targets: TargetService
    package let targetDirectory: TargetDirectory
    package let ownTargets: OwnTargets
    let signer: CommandSigner
    let photoSettings: PhotoSettings
    let pool: PostgresPool

    /// - Parameters:
    ///   - database: the appender's connection.
    ///   - share: the folder of the reference data.
    ///   - photoSettings: where photos are kept, and how they are rendered.
    ///   - standbys: read from while a monitor keeps them up.
    ///   - unverifiedSightings: what an account may submit in a day before its address is verified; nil for no limit.
    ///   - streams: how many streams of notifications may be open.
    ///   - now: the clock of `asOf`, of sealed positions, and of what appears with its month.
    /// - Throws: what reading the reference data throws.
    package init(
        _ database: PostgresConfiguration, share: String, pool: PostgresPool, origin: LogStart,
        standbys: [Standby] = [], photos photoSettings: PhotoSettings,
        passwords: PasswordHasher = PasswordHasher(), unverifiedSightings: Int? = nil,
        streams: EventStreams.Limits = EventStreams.Limits(),
        now: @escaping @Sendable () -> Instant = { .now },
        logger: Logger
    ) throws {
        self.pool = pool
        self.photoSettings = photoSettings
        head = HeadSignal()
        appended = HeadSignal()
        progress = ModelProgress()
        appender = Appender(
            configuration: database, limits: AppendLimits { $0.timeout = database.statementDeadline * 2 }, head: head,
            appended: appended, logger: logger)
        let reader = LogReader(pool)
        let writes = OwnWrites { [progress] in ReadModel.all.map { progress.position(of: $0.name) }.min() ?? 0 }
        log = LogState(origin, reader: reader, head: head, progress: progress, writes: writes, now: now)
        store = StreamStore(reader: reader, appender: appender, writes: writes)
        catalogue = Catalogue(TaxonQueries(pool), logger: logger)
        places = try ReferencePlaces(folder: share + "/places")
        signer = CommandSigner(key: origin.key)
        imports = ImportLog(pool: pool, appender: appender, signer: signer)
        directory = AccountDirectory(store, AccountQueries(pool), logger: logger)
        let router = ReadRouter(primary: pool, progress: progress, standbys: standbys)
        findings = OwnReads(router: router, catalogue: catalogue)
        ownLists = OwnLists(router: router, catalogue: catalogue)
        records = PublicReads(
            router: router, months: MonthEnds(log), reader: PublicReader(pool, catalogue: catalogue))
        photoFiles = PublicPhotoFiles(records, photoSettings.store)
        webPs = WebPCache(photoSettings.webPs, spool: photoSettings.spool, logger: logger) {
            try await photoSettings.renderer.webP(of: $0, into: $1)
        }
        taxa = TaxonService(store: store, router: router, catalogue: catalogue)
        rotation = TargetRotation(
            store: store, log: log, queries: TargetQueries(pool),
            statistics: RegionStatistics(
                store: store, season: SeasonQueries(pool), taxa: TaxonQueries(pool),
                lists: try TargetLists(folder: share + "/targets")),
            places: places, zones: SystemZoneRules(), signer: signer, ids: TargetIDs(), now: now)
        targetReader = TargetReader(records: records, rotation: rotation, catalogue: catalogue)
        ownTargets = OwnTargets(accounts: directory, targets: targetReader, router: router, now: now)
        targets = TargetService(store: store, catalogue: catalogue, rotation: rotation, signer: signer, now: now)
        let contents = ContentStore(database: pool)
        let reservations = Reservations(database: pool)
        photos = PhotoService(
            store: store, photos: photoSettings.store, renderer: photoSettings.renderer, contents: contents,
            reservations: reservations, quotas: PhotoQuotas(database: pool, limits: photoSettings.quota),
            queries: PhotoQueries(pool), accounts: directory, signer: signer, now: now, spool: photoSettings.spool)
        uploads = PhotoUploads(
            uploads: Uploads(database: pool), files: photoSettings.spool.resumableFiles, photos: photos, now: now)
        mail = MailQueue(mails: Mails(database: pool), codes: MailCodes(database: pool))
        let claims = Claims(database: pool)
        let policy = try PasswordPolicy(contentsOf: share + "/passwords/common.txt")
        accounts = AccountService(
            store: store, contents: contents, reservations: reservations, passwords: passwords,
            policy: policy, places: places.index, signer: signer, mail: mail, directory: directory,
            admins: AccountQueries(pool), claims: claims, now: now)
        targetDirectory = TargetDirectory(TargetQueries(pool), catalogue: catalogue, logger: logger)
        sightings = SightingService(
            store: store, contents: contents, publicIDs: PublicIDs(pool), photos: OwnedPhotos(pool),
            accounts: directory, reservations: reservations, catalogue: catalogue, targets: targetDirectory,
            places: places.index, zones: SystemZoneRules(), signer: signer, now: now,
            unverified: unverifiedSightings.map { [store] in
                UnverifiedQuota(
                    accounts: VerifiedAccounts(store), quotas: DailyQuotas(database: pool), perDay: $0, now: now)
            })
        moderation = ModerationService(
            store: store, contents: contents, conversations: ReviewConversations(pool), photos: photos,
            sightings: sightings, claims: claims, exactReads: ExactReads(database: pool),
            evidence: EvidenceQueries(pool), signer: signer, now: now)
        moderationQueue = ModerationQueue(
            queries: ModerationQueries(pool), claims: claims, interests: InterestRecords(database: pool),
            moderation: moderation)
        moderationReport = ModerationReport(queries: ModerationQueries(pool), log: log)
        decisionBatches = DecisionBatches(moderation: moderation, queries: ModerationQueries(pool))
        let filling = InboxFilling(
            database: pool, running: { [rotation] in try rotation.runningWeeks() },
            isBehind: { [log] in log.isBehind($0) })
        notifications = NotificationService(
            filling: filling, read: NotificationsRead(database: pool), database: pool)
        eventStreams = EventStreams(filling, log: log, limits: streams, now: Self.date, logger: logger)
        flags = FlagService(
            store: store, records: records, quotas: DailyQuotas(database: pool), signer: signer, now: now)
        favourites = FavouriteService(favourites: Favourites(database: pool), catalogue: catalogue)
        accessTokens = AccessTokens(keys: SigningKeys(database: pool), now: Self.date)
        let refreshTokens = RefreshTokens(database: pool)
        let records = PasswordRecords(database: pool)
        let standings = StoredAccounts(store: store, passwords: records, directory: directory)
        sessions = Sessions(
            accounts: standings, passwords: passwords, refreshTokens: refreshTokens, accessTokens: accessTokens,
            now: Self.date)
        keys = AccountKeys(keys: ApiKeys(database: pool), accounts: standings, now: Self.date)
        ownData = OwnData(
            accounts: accounts, reader: FindingReader(pool, catalogue: catalogue), favourites: favourites,
            notifications: notifications, texts: WrittenTexts(database: pool), sessions: sessions, keys: keys,
            photoStore: photoSettings.store, now: now)
        callers = Callers(tokens: accessTokens, keys: keys, directory: directory, now: now)
        self.passwords = Passwords(
            store: store, contents: contents, records: records, hasher: passwords, policy: policy, signer: signer,
            mail: mail, sessions: sessions, keys: ApiKeys(database: pool))
        verifications = EmailVerifications(
            store: store, contents: contents, signer: signer, mail: mail, reservations: reservations,
            passwords: self.passwords)
        leaving = Leaving(
            store: store, passwords: self.passwords, accounts: AccountQueries(pool), directory: directory,
            sessions: sessions, signer: signer, logger: logger)
        sessionUpkeep = SessionUpkeep(
            accessTokens: accessTokens, refreshTokens: refreshTokens, logger: logger, now: Self.date)
    }

    /// Sends the queued mails while it is run.
    package func mailer(_ settings: MailSettings, logger: Logger) -> Mailer {
        Mailer(
            queue: mail, reservations: Reservations(database: pool), contents: ContentStore(database: pool),
            settings: settings, logger: logger)
    }

    /// Finishes the erasures of accounts while it is run.
    /// - Parameter settling: how long requests of an account may be under way after it was erased.
    package func erasureWorker(
        _ mail: MailSettings?, settling: Duration = ErasureWorker.settling, logger: Logger
    ) -> ErasureWorker {
        ErasureWorker(
            erasures: Erasures(database: pool), store: store, photos: PhotoQueries(pool),
            guarded: PublicPhotoQueries(pool),
            models: ModelCatchUp(pool),
            bytes: photoSettings.store, uploads: uploads.files, webPs: webPs,
            mails: mail?.transport as? MailFolder, signer: signer, settling: settling, logger: logger)
    }

    private static let date: @Sendable () -> Date = { Date() }

    /// Keeps a read model up with the log while it is run, and wakes the readers that wait for it.
    /// - Parameter projectors: its connections; by default those of requests.
    package func follower(of model: ReadModel, over projectors: PostgresPool? = nil, logger: Logger) -> Follower {
        Follower(model, pool: projectors ?? pool, head: head, progress: progress, logger: logger)
    }

    /// Runs something with the appender at work.
    package func run(_ body: @Sendable (UseCases) async throws -> Void) async throws {
        try await appender.whileRunning { try await body(self) }
    }
}

/// The log as a process finds it when it starts.
package struct LogStart: Sendable {
    package let epoch: Int64
    /// The head.
    package let position: Int64
    /// The key of the fingerprints, and the one from which those of sealed positions are derived. It never changes.
    package let key: [UInt8]

    /// - Throws: `PostgresError`.
    package static func read(_ pool: PostgresPool) async throws -> LogStart {
        let origin = try await LogOrigin.read(pool)
        let key: [UInt8] = try await pool.query("select key from log.head").onlyRow().decode("key")
        return LogStart(epoch: origin.epoch, position: origin.position, key: key)
    }
}
