import ArgumentParser
import EventLog
import Logging
import Postgres
import PrivateServer
import ReadModels
import Service

/// The database a command works on, for as long as it does.
struct Database: Sendable {
    /// The service's connections.
    let service: PostgresConfiguration
    /// The owner's.
    let owner: PostgresConfiguration
    /// The standbys to read from.
    let standbys: [PostgresConfiguration]
    /// The private server, where there is one.
    let server: PrivateServer?
    let limits: DatabaseLimits
    /// Holds photos, too.
    let dataDirectory: String

    /// Opens the database of the environment, or the private server's.
    /// - Throws: ``SettingError``, `PrivateServerError`, `FileLock.Failure`.
    static func open(
        _ options: DatabaseOptions, logger: Logger, environment: Environment = .process
    ) async throws -> Database {
        let limits = try DatabaseLimits(environment)
        let standbys = try environment[.readURL].map { try hosts(.readURL, $0, limits) } ?? []
        if let url = environment[.databaseURL] {
            let service = try configuration(.databaseURL, url, limits)
            let owner = try environment[.ownerURL]
                .map { try configuration(.ownerURL, $0, limits) }
            return Database(
                service: service, owner: owner ?? service, standbys: standbys, server: nil, limits: limits,
                dataDirectory: options.dataDirectory(environment))
        }
        let server = try await PrivateServer.startOrAdopt(
            dataDirectory: options.dataDirectory(environment), logger: logger)
        return Database(
            service: try limits.configuration(server.url(user: .service)),
            owner: try limits.configuration(server.url(user: .owner)), standbys: standbys, server: server,
            limits: limits, dataDirectory: options.dataDirectory(environment))
    }

    private static func configuration(
        _ setting: Setting, _ url: String, _ limits: DatabaseLimits
    ) throws -> PostgresConfiguration {
        do {
            return try limits.configuration(url)
        } catch {
            throw SettingError(setting, "must be a PostgreSQL connection URL")
        }
    }

    private static func hosts(
        _ setting: Setting, _ url: String, _ limits: DatabaseLimits
    ) throws -> [PostgresConfiguration] {
        let configuration = try configuration(setting, url, limits)
        do {
            return try configuration.eachHost()
        } catch {
            throw SettingError(setting, "must be a URL with one port, or one for each host")
        }
    }

    /// Applies what is pending of the migrations, notices a restore or a failover, and makes the read models' tables.
    /// - Throws: `MigrationError`, `ModelDrift`, `PostgresError`.
    func migrate(_ installation: Installation, logger: Logger) async throws {
        try await installation.migrator(logger: logger).migrate(owner)
        let connection = try await PostgresConnection.connect(owner, logger: logger)
        let user = service.user
        if user != owner.user, user != "skein_service" {
            try await connection.query("grant skein_service to \(identifier: user)")
        }
        if let epoch = try await LogEpoch.beginIfMoved(connection) {
            logger.warning("the log is on another cluster: a new epoch has begun", metadata: ["epoch": "\(epoch)"])
        }
        await connection.close()
        try await PostgresPool.withPool(service, .command, logger: logger) { pool in
            try await ModelInstaller(pool).install(ReadModel.all)
        }
    }

    /// A copy whose service connections are checked by a guard. Make it after migrating, which may begin an epoch.
    func guarded(by epoch: EpochGuard) -> Database {
        Database(
            service: epoch.guarding(service), owner: owner, standbys: standbys, server: server, limits: limits,
            dataDirectory: dataDirectory)
    }

    /// The standbys of a primary.
    func standbys(of primary: PostgresPool, logger: Logger) async throws -> [Standby] {
        if standbys.isEmpty { return [] }
        let requirements = try await StandbyRequirements.matching(primary)
        return standbys.map { Standby($0, limits: limits, requirements: requirements, logger: logger) }
    }

    /// Runs something with a pool of the service's.
    func withPool<Value: Sendable>(
        logger: Logger, _ body: @Sendable (PostgresPool) async throws -> Value
    ) async throws -> Value {
        try await PostgresPool.withPool(service, .command, logger: logger, body)
    }

    /// Releases the private server, which stops if no other process uses it.
    func close() async throws {
        _ = try await server?.stop()
    }

    /// Opens a database, runs something and releases it, also after an error.
    static func with<Value>(
        _ options: DatabaseOptions, logger: Logger, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let database = try await open(options, logger: logger)
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(DatabaseFailure(error) ?? error) }
        try await database.close()
        return try result.get()
    }
}

/// A failure of the database with its reason, which clients are not told and an operator needs.
struct DatabaseFailure: Error, CustomStringConvertible {
    let description: String

    /// Nil for an error that is not the database's.
    init?(_ error: any Error) {
        let cause = (error as? PostgresTransactionError)?.underlying ?? error
        guard let cause = cause as? PostgresError else { return nil }
        description = "\(cause) \(cause.reason)"
    }
}

/// A command on the database of its options. It logs warnings, unless the environment says otherwise.
protocol DatabaseCommand: AsyncParsableCommand {
    var options: DatabaseOptions { get }
    func run(on database: Database, logger: Logger) async throws
}

extension DatabaseCommand {
    func run() async throws {
        let logger = try Logger.program(normally: .warning)
        try await Database.with(options, logger: logger) { try await run(on: $0, logger: logger) }
    }
}

extension UseCases {
    /// Runs something with all use cases at work, for a command that does one thing.
    static func with(
        _ database: Database, _ installation: Installation, logger: Logger,
        _ body: @Sendable (UseCases) async throws -> Void
    ) async throws {
        try await database.migrate(installation, logger: logger)
        let database = database.guarded(by: EpochGuard(logger: logger))
        try await database.withPool(logger: logger) { pool in
            let cases = try UseCases(
                database.service, share: installation.share, pool: pool, origin: try await LogStart.read(pool),
                photos: try PhotoSettings(dataDirectory: database.dataDirectory),
                exports: try ExportSettings(dataDirectory: database.dataDirectory),
                targetKinds: try Environment.process.targetKinds(), logger: logger)
            try await cases.run(body)
        }
    }
}

extension PostgresPoolConfiguration {
    /// For commands that do one thing.
    static var command: PostgresPoolConfiguration {
        var configuration = PostgresPoolConfiguration()
        (configuration.sharedConnections, configuration.exclusiveConnections) = (1, 3)
        configuration.sharedStatementTimeout = .seconds(60)
        return configuration
    }
}

/// Starts the private PostgreSQL again when it has died under a running service.
struct PrivateServerKeeper: Sendable {
    let server: PrivateServer
    let pool: PostgresPool
    let logger: Logger

    /// Looks every two seconds, until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .seconds(2))
                try await pool.query("select 1")
            } catch {
                // It may only be busy: one that runs is left alone.
                if !Task.isCancelled { await revive() }
            }
        }
    }

    private func revive() async {
        logger.warning("The private PostgreSQL does not answer; starting it again unless it is running")
        do {
            try await server.resume()
        } catch {
            logger.error("The private PostgreSQL cannot be started", metadata: ["error": "\(error)"])
        }
    }
}
