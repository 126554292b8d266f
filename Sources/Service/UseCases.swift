package import Domain
package import EventLog
package import Logging
package import Postgres
import ReadModels

/// All use cases over one appender and one pool, as the program and tests run them. Each feature composes its own, in
/// its folder; the one that takes the feature's commands is its `service`.
package struct UseCases: Sendable {
    package let ground: Ground
    package let accounts: AccountUseCases
    package let records: RecordUseCases
    package let ranges: RangeUseCases
    package let research: ResearchUseCases
    package let photos: PhotoUseCases
    package let exports: ExportUseCases
    package let leaving: LeavingUseCases
    package let sightings: SightingUseCases
    package let moderation: ModerationUseCases
    package let targets: TargetUseCases
    package let notifications: NotificationUseCases
    package let ownData: OwnData

    /// - Parameters:
    ///   - database: the appender's connection.
    ///   - share: the folder of the reference data.
    ///   - photoSettings: where photos are kept, and how they are rendered.
    ///   - exportSettings: where exports are kept, and how many and how large they may be.
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
        exports exportSettings: ExportSettings,
        passwords hasher: PasswordHasher = PasswordHasher(), quotas: UseCaseLimits = .none,
        unverifiedSightings: Int? = nil,
        targetKinds: Set<TaxonKind> = TargetTaxa.usualKinds,
        streams: EventStreams.Limits = EventStreams.Limits(),
        now: @escaping @Sendable () -> Instant = { .now },
        logger: Logger
    ) throws {
        ground = try Ground(
            database, share: share, pool: pool, origin: origin, standbys: standbys, now: now, logger: logger)
        accounts = try AccountUseCases(ground, passwords: hasher, quotas: quotas)
        records = RecordUseCases(ground, limits: limits, publicURL: exportSettings.site.address)
        ranges = RangeUseCases(ground, records: records, limits: limits)
        photos = PhotoUseCases(ground, accounts: accounts, records: records, settings: photoSettings)
        exports = ExportUseCases(
            ground, accounts: accounts, settings: exportSettings, borders: ranges.borders)
        research = ResearchUseCases(ground, records: records, exports: exports)
        leaving = LeavingUseCases(ground, accounts: accounts, photos: photos)
        sightings = SightingUseCases(
            ground, accounts: accounts, limits: limits, unverifiedPerDay: unverifiedSightings)
        moderation = ModerationUseCases(ground, records: records, photos: photos, sightings: sightings)
        targets = try TargetUseCases(ground, records: records, kinds: targetKinds)
        notifications = NotificationUseCases(ground, targets: targets, limits: streams)
        ownData = OwnData(
            ground, accounts: accounts, photos: photos, exports: exports, notifications: notifications)
    }

    /// Keep all read models up with the log while they are run, and wake the readers that wait for them.
    /// - Parameter projectors: their connections.
    package func followers(over projectors: PostgresPool, logger: Logger) -> [Follower] {
        let (head, progress) = (ground.log.head, ground.log.progress)
        let looks = LogLooks(ReadModel.all, pool: projectors, progress: progress)
        return ReadModel.all.map { model in
            Follower(model, pool: projectors, looks: looks, head: head, progress: progress, logger: logger)
        }
    }

    /// Brings a read model up to the log, over the connections of requests.
    package func follower(of model: ReadModel, logger: Logger) -> Follower {
        Follower(
            model, pool: ground.pool, head: ground.log.head, progress: ground.log.progress, logger: logger)
    }

    /// Runs something with the appender at work.
    package func run(_ body: @Sendable (UseCases) async throws -> Void) async throws {
        try await ground.appender.whileRunning { try await body(self) }
    }
}
