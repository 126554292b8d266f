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
    package let accounts: AccountService
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
    package let findings: OwnReads
    package let ownLists: OwnLists
    package let records: PublicReads
    package let photoFiles: PublicPhotoFiles
    let photoCaches: PhotoCaches
    package let taxa: TaxonService
    package let rotation: TargetRotation
    package let targetReader: TargetReader
    package let targets: TargetService
    package let targetDirectory: TargetDirectory
    package let ownTargets: OwnTargets
    let photoSettings: PhotoSettings
    private let ground: CommonGround

    /// - Parameters:
    ///   - database: the appender's connection.
    ///   - share: the folder of the reference data.
    ///   - photoSettings: where photos are kept, and how they are rendered.
    ///   - standbys: read from while a monitor keeps them up.
    ///   - limits: those that the pool was made with.
    ///   - quotas: of use cases; all interfaces of the service share them.
    ///   - unverifiedSightings: what an account may submit in a day before its address is verified; nil for no limit.
    ///   - targetKinds: the kinds of species that targets are chosen from.
    ///   - streams: how many streams of notifications may be open.
    ///   - now: the clock of `asOf`, of sealed positions, and of what appears with its month.
    /// - Throws: what reading the reference data throws.
    package init(
        _ database: PostgresConfiguration, share: String, pool: PostgresPool, origin: LogStart,
        standbys: [Standby] = [], limits: DatabaseLimits = DatabaseLimits(), photos photoSettings: PhotoSettings,
        passwords hasher: PasswordHasher = PasswordHasher(), quotas: UseCaseLimits = .none,
        unverifiedSightings: Int? = nil,
        targetKinds: Set<TaxonKind> = TargetTaxa.usualKinds,
        streams: EventStreams.Limits = EventStreams.Limits(),
        now: @escaping @Sendable () -> Instant = { .now },
        logger: Logger
    ) throws {
        let ground = try CommonGround(
            database, share: share, pool: pool, origin: origin, standbys: standbys, quotas: quotas,
            now: now, logger: logger)
        (self.ground, self.photoSettings) = (ground, photoSettings)
        let lists = ground.reads.inTurn(FairTurns(limits.listTurns))
        findings = OwnReads(reads: lists, catalogue: ground.catalogue)
        ownLists = OwnLists(reads: lists, catalogue: ground.catalogue)
        records = ground.publicReads(limits)
        photoCaches = ground.photoCaches(photoSettings)
        photoFiles = PublicPhotoFiles(records, photoSettings.store, photoCaches.guarded)
        taxa = TaxonService(store: ground.store, router: ground.router, catalogue: ground.catalogue)
        rotation = try ground.rotation(of: targetKinds)
        targetReader = TargetReader(records: records, calendar: rotation.calendar, catalogue: ground.catalogue)
        ownTargets = ground.ownTargets(targetReader)
        targets = ground.targets(rotation)
        targetDirectory = TargetDirectory(TargetQueries(pool), catalogue: ground.catalogue, logger: logger)
        photos = ground.photos(photoSettings)
        uploads = ground.uploads(photoSettings, photos)
        mail = MailQueue(mails: Mails(database: pool), codes: MailCodes(database: pool))
        let policy = try PasswordPolicy(contentsOf: share + "/passwords/common.txt")
        accounts = ground.accounts(hasher, policy, mail)
        sightings = ground.sightings(targetDirectory, unverifiedPerDay: unverifiedSightings)
        moderation = ground.moderation(photos, sightings)
        moderationQueue = ground.moderationQueue(moderation)
        moderationReport = ModerationReport(reads: ground.reads, queries: ModerationQueries(pool))
        decisionBatches = DecisionBatches(
            reads: ground.reads, moderation: moderation, queries: ModerationQueries(pool))
        let inboxes = ground.inboxes(rotation.calendar)
        notifications = NotificationService(
            filling: inboxes, read: NotificationsRead(database: pool), database: pool, reads: ground.reads)
        eventStreams = EventStreams(inboxes, log: ground.log, limits: streams, now: CommonGround.date, logger: logger)
        flags = ground.flags(records)
        favourites = FavouriteService(favourites: Favourites(database: pool), catalogue: ground.catalogue)
        accessTokens = AccessTokens(keys: SigningKeys(database: pool), now: CommonGround.date)
        sessions = ground.sessions(hasher, accessTokens)
        keys = AccountKeys(keys: ApiKeys(database: pool), accounts: ground.storedAccounts(), now: CommonGround.date)
        callers = Callers(tokens: accessTokens, keys: keys, directory: ground.directory, now: now)
        passwords = ground.passwords(hasher, policy, mail, sessions)
        verifications = ground.verifications(mail, passwords)
        leaving = ground.leaving(passwords, sessions)
        sessionUpkeep = ground.sessionUpkeep(accessTokens)
        ownData = OwnData(
            reads: ground.reads, accounts: accounts, reader: FindingReader(pool, catalogue: ground.catalogue),
            favourites: favourites, notifications: notifications, texts: WrittenTexts(database: pool),
            sessions: sessions, keys: keys, photoStore: photoSettings.store, now: now)
    }

    package var appender: Appender { ground.appender }
    package var log: LogState { ground.log }
    package var reads: Reads { ground.reads }
    package var head: HeadSignal { ground.head }
    package var appended: HeadSignal { ground.appended }
    package var progress: ModelProgress { ground.progress }
    package var catalogue: Catalogue { ground.catalogue }
    package var places: ReferencePlaces { ground.places }
    package var webPs: ConversionCache { photoCaches.webPs }
    package var store: StreamStore { ground.store }
    package var directory: AccountDirectory { ground.directory }
    package var signer: CommandSigner { ground.signer }
    package var pool: PostgresPool { ground.pool }

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
            bytes: photoSettings.store, uploads: uploads.files, caches: photoCaches,
            mails: mail?.transport as? MailFolder, signer: signer, settling: settling, logger: logger)
    }

    /// The photos whose bytes should be kept.
    package var photoInventory: PhotoInventory { PhotoInventory(pool) }

    /// Keep all read models up with the log while they are run, and wake the readers that wait for them.
    /// - Parameter projectors: their connections.
    package func followers(over projectors: PostgresPool, logger: Logger) -> [Follower] {
        let looks = LogLooks(ReadModel.all, pool: projectors, progress: progress)
        return ReadModel.all.map { model in
            Follower(model, pool: projectors, looks: looks, head: head, progress: progress, logger: logger)
        }
    }

    /// Brings a read model up to the log, over the connections of requests.
    package func follower(of model: ReadModel, logger: Logger) -> Follower {
        Follower(model, pool: pool, head: head, progress: progress, logger: logger)
    }

    /// Runs something with the appender at work.
    package func run(_ body: @Sendable (UseCases) async throws -> Void) async throws {
        try await appender.whileRunning { try await body(self) }
    }
}
