import EventLog
import Foundation
import Imports
import Logging
import NIOConcurrencyHelpers
import Postgres
import ReadModels
import Service
import ServiceLifecycle
import UnixSignals
import Web
import WebAPI

/// The running service: everything `skein serve` keeps going.
struct Server: Sendable {
    let database: Database
    let installation: Installation
    let logger: Logger

    /// Serves until SIGTERM or SIGINT.
    /// - Throws: whatever keeps it from starting; `LogMoved` when it has to be started again.
    func run(_ listening: ListenSettings) async throws {
        Heap.configure()
        try await UseCases.with(database, installation, logger: logger) { cases in
            try await ReferenceData(cases.imports, installation, logger: logger).load()
        }
        let epoch = EpochGuard(logger: logger)
        do {
            try await Server(database: database.guarded(by: epoch), installation: installation, logger: logger)
                .serve(listening, epoch)
        } catch {
            throw epoch.departure.map { LogMoved(reason: $0) } ?? error
        }
    }

    private func serve(_ listening: ListenSettings, _ epoch: EpochGuard) async throws {
        let pool = PostgresPool(database.service, .requests(database.limits), logger: logger)
        let (origin, standbys) = try await database.withPool(logger: logger) { pool in
            (try await LogStart.read(pool), try await database.standbys(of: pool, logger: logger))
        }
        let photos = try PhotoSettings(dataDirectory: database.dataDirectory).withClaimedCaches()
        try photos.spool.prepare()
        let exports = try ExportSettings(dataDirectory: database.dataDirectory).withClaimedFolder()
        let cases = try UseCases(
            database.service, share: installation.share, pool: pool, origin: origin, standbys: standbys,
            limits: database.limits, photos: photos, exports: exports, quotas: listening.limits.useCases,
            unverifiedSightings: listening.limits.unverifiedSightings,
            targetKinds: try Environment.process.targetKinds(), streams: Self.streams, logger: logger)
        let (ground, log) = (cases.ground, cases.ground.log)
        let mail = try MailSettings(dataDirectory: database.dataDirectory)
        try await database.withPool(logger: logger) { pool in
            try await Follower(.taxa, pool: pool, head: log.head, progress: log.progress, logger: logger).catchUp()
            try await ground.catalogue.refresh(from: TaxonQueries(pool))
        }
        Heap.trim()
        let status = StatusReporter(
            pool: pool, appender: ground.appender, epoch: log.epoch, guardian: epoch, standbys: standbys,
            models: ReadModel.all, partitions: PartitionKeeper(pool, logger: logger),
            migrator: try installation.migrator(logger: logger), disk: photos.spool.disk)
        let listeners = listeners(cases, status, listening)
        let isServing = NIOLockedValueBox(true)
        defer { isServing.withLockedValue { $0 = false } }
        let epochs = EpochWatch(epoch: epoch, pool: pool, isServing: isServing, logger: logger)
        var group = ServiceGroupConfiguration(
            services: (background(cases, pool) + mailer(cases, mail) + watch(standbys, pool) + [epochs] + listeners).map
            {
                .init(service: $0)
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(30)
        try await ServiceGroup(configuration: group).run()
    }

    /// What runs beside the API, in the order of starting; they stop in the opposite one.
    private func background(_ cases: UseCases, _ pool: PostgresPool) -> [any ServiceLifecycle.Service] {
        let projectors = PostgresPool(database.service, .projectors, logger: logger)
        let followers = cases.followers(over: projectors, logger: logger).map { follower in
            Loop { await follower.run() }
        }
        let exporters = PostgresPool(database.service.forExports, .exports, logger: logger)
        let ground = cases.ground
        let notifier = LogNotifier(
            configuration: database.service, pool: pool, appended: ground.appended, head: ground.log.head,
            logger: logger)
        let keepers = database.server.map { server in
            [Loop { [logger] in await PrivateServerKeeper(server: server, pool: pool, logger: logger).run() }]
        }
        return [
            Loop(run: { await pool.run() }, stop: { await pool.shutdown() }),
            Loop(run: { await projectors.run() }, stop: { await projectors.shutdown() }),
            Loop(run: { await exporters.run() }, stop: { await exporters.shutdown() }),
            Loop(run: { await ground.appender.run() }, stop: { ground.appender.close() }),
            Loop { [logger] in await PartitionKeeper(pool, logger: logger).run() },
            Loop { [logger] in await ClockKeeper(pool, logger: logger).run() },
            Loop { [logger] in
                let process = "\(ProcessInfo.processInfo.hostName)/\(ProcessInfo.processInfo.processIdentifier)"
                await ProcessRegister(process, following: ReadModel.all, pool: pool, logger: logger).run()
            },
            Loop { await notifier.run() },
        ] + (keepers ?? []) + followers + [
            Loop { await cases.accounts.sessionUpkeep.run() },
            Loop { await ground.catalogue.run() },
            Loop { await cases.sightings.targets.run() },
            Loop { await ground.directory.run() },
            Loop { await cases.notifications.streams.run() },
            Loop { [logger] in await cases.photos.uploads.run(logger: logger) },
            Loop { [logger] in await cases.exports.worker(over: exporters, logger: logger).run() },
            Loop { await cases.exports.watch.over(exporters).run() },
            Loop { [logger] in await RotationService(cases.targets.rotation, logger: logger).run() },
        ]
    }

    private func mailer(_ cases: UseCases, _ settings: MailSettings) -> [any ServiceLifecycle.Service] {
        if let folder = settings.transport as? MailFolder {
            Self.say("Mails are not sent (SKEIN_MAIL_COMMAND is not set) but written to \(folder.path)")
        }
        let mailer = cases.accounts.mailer(settings, logger: logger)
        let erasures = cases.leaving.worker(settings, logger: logger)
        return [Loop(run: { await mailer.run() }, stop: { mailer.stop() }), Loop { await erasures.run() }]
    }

    private func watch(_ standbys: [Standby], _ pool: PostgresPool) -> [any ServiceLifecycle.Service] {
        if standbys.isEmpty { return [] }
        return [Loop { [logger] in await StandbyMonitor(standbys, primary: pool, logger: logger).run() }]
    }

    /// The operations listener and the API. Operations come first, so that they answer until the API has stopped.
    private func listeners(
        _ cases: UseCases, _ status: StatusReporter, _ listening: ListenSettings
    ) -> [any ServiceLifecycle.Service] {
        let metrics = MetricRegistry()
        metrics.collect { await status.samples() }
        metrics.collect { StatusReporter.samples(of: cases.notifications.streams) }
        let settings = APISettings(listening)
        let api = SkeinAPI(verifier: cases.accounts.callers, metrics: metrics, readiness: status, settings: settings)
        let routes = cases.routes(
            document: installation.document, about: installation.about, share: installation.share)
        let limits = ConnectionLimits(
            perClient: listening.limits.clientConnections, most: Self.connections)
        return [
            APIServer(api.operations(on: listening.operations.host), listening.operations, logger: logger) { port in
                let url = "http://\(listening.operations.host):\(port)"
                Self.say("Operations: \(url)/readyz and \(url)/metrics")
            },
            APIServer(api.responder(routes), listening.api, limits: limits, logger: logger) { port in
                let url = "http://\(listening.api.host):\(port)"
                Self.say("Skein listens on \(url) - try: curl \(url)/v1/taxa?q=wren")
            },
        ]
    }

    /// Connections of all clients.
    private static var connections: Int { max(64, OpenFiles.raiseLimit() - ownFiles) }

    /// Streams of notifications leave room for other requests.
    private static var streams: EventStreams.Limits {
        var limits = EventStreams.Limits()
        limits.inProcess = min(limits.inProcess, connections / 2)
        return limits
    }

    /// Files that the process opens besides its clients' connections.
    private static let ownFiles = 256

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

/// Ends the service when the log has moved. If a request or a loop does not end within ten seconds, the process ends
/// without it, which closes the connections of its clients.
struct EpochWatch: ServiceLifecycle.Service {
    let epoch: EpochGuard
    let pool: PostgresPool
    /// False once every service has ended.
    let isServing: NIOLockedValueBox<Bool>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await epoch.run(pool) {
                guard isServing.withLockedValue(\.self) else { return }
                logger.critical("the service did not end in time; the process ends without it")
                _exit(EX_TEMPFAIL)
            }
        }
        if let reason = epoch.departure { throw LogMoved(reason: reason) }
    }
}

/// A loop as a service: it ends when it is told to stop, or is cancelled.
struct Loop: ServiceLifecycle.Service {
    private let body: @Sendable () async -> Void
    private let stop: (@Sendable () async -> Void)?

    /// - Parameter stop: lets `run` end by itself; without it the loop is cancelled.
    init(run: @escaping @Sendable () async -> Void, stop: (@Sendable () async -> Void)? = nil) {
        body = run
        self.stop = stop
    }

    func run() async throws {
        guard let stop else {
            await cancelWhenGracefulShutdown { await body() }
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await body() }
            group.addTask {
                try? await gracefulShutdown()
                await stop()
            }
            await group.next()
            await group.next()
        }
    }
}
