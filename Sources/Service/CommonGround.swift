import Domain
import EventLog
import FoundationEssentials
import Logging
import PhotoStore
import Postgres
import ReadModels
import Vault

/// The parts that all use cases share: the log, the read models' progress, and the reference data.
struct CommonGround: Sendable {
    let pool: PostgresPool
    let appender: Appender
    let head = HeadSignal()
    let appended = HeadSignal()
    let progress = ModelProgress()
    let log: LogState
    let store: StreamStore
    let router: ReadRouter
    let months: MonthEnds
    let reads: Reads
    let catalogue: Catalogue
    let places: ReferencePlaces
    let directory: AccountDirectory
    let verified: VerifiedAccounts
    let signer: CommandSigner
    let contents: ContentStore
    let reservations: Reservations
    let claims: Claims
    let quotas: UseCaseQuotas
    /// The folder of the reference data.
    private let share: String
    private let now: @Sendable () -> Instant
    private let logger: Logger

    /// The clock of sessions, which no test drives.
    static let date: @Sendable () -> Date = { Date() }

    /// - Throws: what reading the reference data throws.
    init(
        _ database: PostgresConfiguration, share: String, pool: PostgresPool, origin: LogStart, standbys: [Standby],
        quotas limits: UseCaseLimits, now: @escaping @Sendable () -> Instant, logger: Logger
    ) throws {
        (self.pool, self.share, self.now, self.logger) = (pool, share, now, logger)
        appender = Appender(
            configuration: database, limits: AppendLimits { $0.timeout = database.statementDeadline * 2 }, head: head,
            appended: appended, logger: logger)
        let reader = LogReader(pool)
        let writes = OwnWrites { [progress] in ReadModel.all.map { progress.position(of: $0.name) }.min() ?? 0 }
        log = LogState(origin, reader: reader, head: head, progress: progress, writes: writes, now: now)
        store = StreamStore(reader: reader, appender: appender, writes: writes)
        router = ReadRouter(standbys)
        months = MonthEnds(log)
        reads = Reads(log: log, primary: pool, router: router, months: months, logger: logger)
        catalogue = Catalogue(TaxonQueries(pool), logger: logger)
        places = try ReferencePlaces(folder: share + "/places")
        directory = AccountDirectory(store, AccountQueries(pool), logger: logger)
        verified = VerifiedAccounts(store)
        signer = CommandSigner(key: origin.key)
        contents = ContentStore(database: pool)
        reservations = Reservations(database: pool)
        claims = Claims(database: pool)
        quotas = UseCaseQuotas(limits)
    }
}

// MARK: - Records, photos and targets

extension CommonGround {
    func publicReads(_ limits: DatabaseLimits) -> PublicReads {
        PublicReads(
            reads: reads, catalogue: catalogue, maps: FairTurns(limits.mapTurns),
            sequences: FairTurns(limits.sequenceTurns))
    }

    func sightings(_ targets: TargetDirectory, unverifiedPerDay: Int?) -> SightingService {
        SightingService(
            store: store, contents: contents, publicIDs: PublicIDs(pool), photos: OwnedPhotos(pool),
            accounts: directory, reservations: reservations, catalogue: catalogue, targets: targets,
            places: places.index, zones: SystemZoneRules(), signer: signer, now: now,
            unverified: unverifiedPerDay.map {
                UnverifiedQuota(accounts: verified, quotas: DailyQuotas(database: pool), perDay: $0, now: now)
            })
    }

    func photos(_ settings: PhotoSettings) -> PhotoService {
        PhotoService(
            store: store, photos: settings.store, renderer: settings.renderer, contents: contents,
            reservations: reservations, quotas: PhotoQuotas(database: pool), limits: settings.quota,
            verified: verified, queries: PhotoQueries(pool), log: log, accounts: directory, signer: signer, now: now,
            spool: settings.spool)
    }

    func uploads(_ settings: PhotoSettings, _ photos: PhotoService) -> PhotoUploads {
        PhotoUploads(
            uploads: Uploads(database: pool), files: settings.spool.resumableFiles, photos: photos, now: now)
    }

    func photoCaches(_ settings: PhotoSettings) -> PhotoCaches {
        PhotoCaches(
            webPs: ConversionCache(settings.webPs, spool: settings.spool, logger: logger) {
                try await settings.renderer.webP(of: $0, into: $1)
            },
            guarded: GuardedRenditions(
                folder: settings.guarded, renderer: settings.renderer, spool: settings.spool, logger: logger))
    }

    /// - Parameter kinds: those that targets are chosen from.
    /// - Throws: what reading the reference data throws.
    func rotation(of kinds: Set<TaxonKind>) throws -> TargetRotation {
        TargetRotation(
            store: store, log: log, queries: TargetQueries(pool),
            statistics: RegionStatistics(
                store: store, season: SeasonQueries(pool), taxa: TaxonQueries(pool),
                lists: try TargetLists(folder: share + "/targets"), kinds: kinds),
            calendar: TargetCalendar(places: places, zones: SystemZoneRules(), now: now), signer: signer)
    }

    func targets(_ rotation: TargetRotation) -> TargetService {
        TargetService(
            store: store, catalogue: catalogue, calendar: rotation.calendar, lists: rotation.statistics.lists,
            signer: signer, now: now)
    }

    func ownTargets(_ targets: TargetReader) -> OwnTargets {
        OwnTargets(accounts: directory, targets: targets, reads: reads, now: now)
    }
}

// MARK: - Moderation and notifications

extension CommonGround {
    func moderation(_ photos: PhotoService, _ sightings: SightingService) -> ModerationService {
        ModerationService(
            store: store, contents: contents, conversations: ReviewConversations(pool), photos: photos,
            sightings: sightings, claims: claims,
            audit: PlaceAudit(reads: ExactReads(database: pool), publicIDs: sightings.publicIDs, now: now),
            evidence: EvidenceQueries(pool), months: months, log: log, signer: signer, now: now)
    }

    func moderationQueue(_ moderation: ModerationService) -> ModerationQueue {
        ModerationQueue(
            reads: reads, queries: ModerationQueries(pool), claims: claims, interests: InterestRecords(database: pool),
            moderation: moderation)
    }

    func flags(_ records: PublicReads) -> FlagService {
        FlagService(store: store, records: records, quotas: DailyQuotas(database: pool), signer: signer, now: now)
    }

    func inboxes(_ calendar: TargetCalendar) -> InboxFilling {
        InboxFilling(
            database: pool, running: { try calendar.runningWeeks() },
            check: { [log] () throws(ModelBehind) in try log.check(InboxFilling.plan) })
    }
}

// MARK: - Accounts

extension CommonGround {
    func accounts(_ hasher: PasswordHasher, _ policy: PasswordPolicy, _ mail: MailQueue) -> AccountService {
        AccountService(
            store: store, contents: contents, reservations: reservations, passwords: hasher, policy: policy,
            places: places.index, signer: signer, mail: mail, directory: directory, admins: AccountQueries(pool),
            claims: claims, quotas: quotas, now: now)
    }

    func storedAccounts() -> StoredAccounts {
        StoredAccounts(store: store, passwords: PasswordRecords(database: pool), directory: directory)
    }

    func sessions(_ hasher: PasswordHasher, _ tokens: AccessTokens) -> Sessions {
        Sessions(
            accounts: storedAccounts(), passwords: hasher, refreshTokens: RefreshTokens(database: pool),
            accessTokens: tokens, guesses: quotas.guesses, now: Self.date)
    }

    func sessionUpkeep(_ tokens: AccessTokens) -> SessionUpkeep {
        SessionUpkeep(
            accessTokens: tokens, refreshTokens: RefreshTokens(database: pool), logger: logger, now: Self.date)
    }

    func passwords(
        _ hasher: PasswordHasher, _ policy: PasswordPolicy, _ mail: MailQueue, _ sessions: Sessions
    ) -> Passwords {
        Passwords(
            store: store, contents: contents, records: PasswordRecords(database: pool), hasher: hasher,
            policy: policy, signer: signer, mail: mail, sessions: sessions, keys: ApiKeys(database: pool),
            quotas: quotas)
    }

    func verifications(_ mail: MailQueue, _ passwords: Passwords) -> EmailVerifications {
        EmailVerifications(
            store: store, contents: contents, signer: signer, mail: mail, reservations: reservations,
            passwords: passwords, mails: quotas.mails)
    }

    func leaving(_ passwords: Passwords, _ sessions: Sessions) -> Leaving {
        Leaving(
            store: store, passwords: passwords, accounts: AccountQueries(pool), directory: directory,
            sessions: sessions, signer: signer, logger: logger)
    }
}
