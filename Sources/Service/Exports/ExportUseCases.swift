import Domain
import EventLog
package import Logging
package import Postgres
import ReadModels
import Vault

/// The use cases of exports: asking for them, reading them and making them.
package struct ExportUseCases: Sendable {
    package let service: ExportService
    package let reader: ExportReader
    package let downloads: ExportDownloads
    package let errata: ExportErrata
    package let diff: ExportDiff
    /// Looks at exports while it runs, in every process that gives them out.
    package let watch: ExportWatch
    package let documents: ExportDocuments
    package let settings: ExportSettings
    private let subjects: ExportSubjects
    private let borders: RangeBorders
    private let storage: ExportStorage
    private let ground: Ground

    /// How long it takes at most to store an export that is made.
    private static let storing: Duration = .seconds(900)

    init(
        _ ground: Ground, accounts: AccountUseCases, settings: ExportSettings, borders: RangeBorders,
        limits: DatabaseLimits = DatabaseLimits()
    ) {
        var settings = settings
        settings.site.polygons = ground.places.index.version
        (self.ground, self.settings) = (ground, settings)
        let pool = ground.pool
        storage = ExportStorage(
            store: settings.store, files: ExportFiles(database: pool), most: settings.storedBytes)
        reader = ExportReader(
            reads: ground.reads, store: ground.store, site: settings.site, signer: ground.signer)
        watch = ExportWatch(
            reads: ground.reads, store: ground.store, storage: storage, signer: ground.signer, logger: ground.logger,
            watched: WatchedRevisions(), pool: pool,
            longestExport: settings.limits.duration.map { $0 + Self.storing })
        self.borders = borders
        let turns = FairTurns(limits.mapTurns)
        errata = ExportErrata(
            reads: ground.reads, exports: reader, turns: turns, signer: ground.signer, site: settings.site)
        diff = ExportDiff(
            reads: ground.reads, exports: reader, watch: watch, turns: turns, signer: ground.signer, borders: borders)
        service = ExportService(
            store: ground.store, reads: ground.reads, signer: ground.signer, jobs: ExportJobs(database: pool),
            turns: ExportTurns(database: pool),
            quotas: DailyQuotas(database: pool), verified: accounts.verified,
            erasures: Erasures(database: pool), limits: settings.limits, site: settings.site, now: ground.now)
        downloads = ExportDownloads(
            reader: reader, storage: storage, jobs: ExportJobs(database: pool), watch: watch, site: settings.site,
            signer: ground.signer, remakes: settings.limits.remakes)
        subjects = ExportSubjects(places: ground.places, site: settings.site)
        documents = ExportDocuments(reader: reader, facts: ExportFactsReader(subjects: subjects))
    }

    /// Returns a worker that makes exports while it runs.
    /// - Parameters:
    ///   - pool: the connections of its long statements; nil for those of requests.
    ///   - folder: of this process alone; nil for the one of the settings.
    package func worker(over pool: PostgresPool? = nil, in folder: String? = nil, logger: Logger) -> ExportWorker {
        let pool = pool ?? ground.pool
        let maker = ExportMaker(
            reader: BulkReader(pool, signer: ground.signer), pool: pool, subjects: subjects, signer: ground.signer,
            folder: folder ?? settings.folder, disk: settings.disk, limits: settings.limits, borders: borders)
        return ExportWorker(
            jobs: ExportJobs(database: ground.pool), store: ground.store, reads: ground.reads, maker: maker,
            storage: storage, watch: watch, signer: ground.signer, logger: logger)
    }

    /// The exports that an operator's commands make.
    /// - Parameters:
    ///   - pool: the connections of its long statements.
    ///   - folder: of this process alone.
    ///   - disk: that of the folder.
    package func files(over pool: PostgresPool, in folder: String, disk: DiskSpace) -> FileExports {
        var limits = ExportSettings.Limits()
        (limits.duration, limits.bytes) = (nil, nil)
        let maker = ExportMaker(
            reader: BulkReader(pool, signer: ground.signer), pool: pool, subjects: subjects, signer: ground.signer,
            folder: folder, disk: disk, limits: limits, borders: borders)
        return FileExports(
            reads: ground.reads, reader: reader, store: ground.store, facts: documents.facts,
            signer: ground.signer, maker: maker)
    }
}
