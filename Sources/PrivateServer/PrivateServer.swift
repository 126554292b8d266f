import Bytes
import FileLocks
package import Logging
import NIOConcurrencyHelpers

/// The private PostgreSQL of a data directory: made, started, shared and stopped automatically.
///
/// It listens on a Unix socket in a folder that only its user may enter, and nowhere else. Any number of processes may
/// use it at once. One of them is its owner: the process that started it, or one that found it running without an
/// owner. The owner stops it, unless others still use it; then the last of these becomes the owner and does.
///
/// All of this rests on locks that the kernel releases when a process ends, so a kill -9 at any point leaves a server
/// that the next `startOrAdopt` of the same data directory adopts.
package final class PrivateServer: Sendable {
    /// How this process came by the server.
    package enum Origin: Sendable {
        /// The cluster was made and the server started.
        case made
        /// The server of an existing cluster was started.
        case started
        /// The server ran without an owner, which this process now is.
        case adopted
        /// The server runs and belongs to another process.
        case joined
    }

    /// The roles of every private server.
    package enum Role: String, Sendable {
        /// Owns cluster and databases: migrates and redacts. A superuser.
        case owner = "skein_owner"
        /// What the service connects as.
        case service = "skein_service"
    }

    /// How a server is stopped, in `pg_ctl`'s words.
    package enum StopMode: String, Sendable {
        /// Ends all connections, then writes a checkpoint.
        case fast
        /// Ends at once, as a crash does; the next start recovers.
        case immediate
    }

    /// What became of the server at `stop`.
    package enum StopResult: Sendable {
        /// It no longer runs.
        case stopped
        /// It runs on for the other processes that use it.
        case leftToOthers
        /// This value had released it before.
        case alreadyLetGo
    }

    /// The database made at the first start, with PostGIS in it.
    package static let database = "skein"
    /// The port in the socket's name.
    package static let port = 5432

    /// How this process came by the server.
    package let origin: Origin
    /// The folder of cluster, log and locks.
    package var homeDirectory: String { control.home.path }
    /// The server's log.
    package var logFile: String { control.home.logFile }
    /// The folder of the socket: libpq's `host`.
    package var socketDirectory: String { control.home.socketDirectory }

    let control: ServerControl
    private let settings: PrivateServerSettings
    private let logger: Logger
    private let held: NIOLockedValueBox<HeldLocks?>

    init(
        origin: Origin, control: ServerControl, settings: PrivateServerSettings, held: HeldLocks, logger: Logger
    ) {
        self.origin = origin
        self.control = control
        self.settings = settings
        self.logger = logger
        self.held = NIOLockedValueBox(held)
    }

    /// The server of a data directory: found running, or started, or made first where there is none.
    ///
    /// - Parameters:
    ///   - dataDirectory: made when missing; the cluster is in `postgres` below it, or for root in
    ///     `/var/lib/skein/<hash>` where the server's user cannot enter the data directory (which is logged).
    ///   - settings: applied when the server is started here; a server found running keeps its own.
    /// - Throws: ``PrivateServerError``, `FileLock.Failure`, or `CancellationError` while waiting.
    package static func startOrAdopt(
        dataDirectory: String, settings: PrivateServerSettings = .development, logger: Logger
    ) async throws -> PrivateServer {
        let home = try await ServerHome.prepare(dataDirectory: dataDirectory, logger: logger)
        return try await startOrAdopt(home: home, settings: settings, logger: logger)
    }

    /// A connection URL for a role's connections to a database, as libpq takes it.
    package func url(database: String = PrivateServer.database, user: Role = .service) -> String {
        let host = PercentEncoding.encode(socketDirectory)
        return "postgresql://\(user.rawValue)@\(host):\(Self.port)/\(PercentEncoding.encode(database))"
    }

    /// Releases the server and, as its owner, stops it if no other process uses it. More calls do nothing.
    ///
    /// - Throws: ``PrivateServerError`` when the server could not be stopped; then the next user adopts it.
    package func stop(mode: StopMode = .fast) async throws -> StopResult {
        guard let locks = held.withLockedValue({ $0.take() }) else { return .alreadyLetGo }
        let starting = try await locks.lockStart()
        defer { starting.unlock() }
        guard try locks.becomeOwner(), try locks.areLast() else {
            logger.info("The private PostgreSQL runs on for others", metadata: ["cluster": "\(homeDirectory)"])
            return .leftToOthers
        }
        try await control.stop(mode)
        logger.info("The private PostgreSQL has stopped", metadata: ["cluster": "\(homeDirectory)"])
        return .stopped
    }

    /// Stops the server under everybody's feet and keeps all locks: what a test does to see who survives.
    package func interrupt(mode: StopMode = .immediate) async throws {
        try await Self.withStartLock(of: control.home) { try await control.stop(mode) }
    }

    /// Starts the server again after ``interrupt(mode:)`` or a crash; does nothing when it runs.
    package func resume() async throws {
        try await Self.withStartLock(of: control.home) { _ = try await control.bringUp(settings) }
    }

    /// Runs SQL through `psql` as the owner: for tests and for what comes before the first connection.
    @discardableResult
    func query(_ statement: String, database: String = PrivateServer.database) async throws -> String {
        try await control.query(statement, database: database)
    }

    static func startOrAdopt(
        home: ServerHome, settings: PrivateServerSettings, logger: Logger
    ) async throws -> PrivateServer {
        try await withStartLock(of: home) {
            let control = ServerControl(home: home, programs: try await .find(forCluster: home.clusterVersion))
            let held = try HeldLocks(joining: home)
            let isNew = !home.hasCluster
            if isNew {
                logger.info("Making a private PostgreSQL", metadata: ["cluster": "\(home.cluster)"])
                try await control.initialize()
            }
            let hasStarted = try await control.bringUp(settings)
            let isOwner = try held.becomeOwner()
            try await ServerBootstrap(control: control).run()
            let origin: Origin = isNew ? .made : hasStarted ? .started : isOwner ? .adopted : .joined
            logger.info(
                "The private PostgreSQL runs", metadata: ["origin": "\(origin)", "socket": "\(home.socketDirectory)"])
            return PrivateServer(origin: origin, control: control, settings: settings, held: held, logger: logger)
        }
    }

    private static func withStartLock<Value: Sendable>(
        of home: ServerHome, _ body: () async throws -> Value
    ) async throws -> Value {
        let starting = try FileLock(home.startLock)
        try await starting.lock(.exclusive, withinSeconds: HeldLocks.startTimeout)
        defer { starting.unlock() }
        return try await body()
    }
}
