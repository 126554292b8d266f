import Foundation
import Logging
import Postgres
import PrivateServer

/// The environment of the measures: a private PostgreSQL in a folder that is removed afterwards.
struct Laboratory: Sendable {
    let plan: Plan
    let skein: Program
    let server: PrivateServer
    /// For scripts, logs and output of programs.
    let folder: String
    let logger: Logger

    /// The database of the tables that pgbench fills.
    static let reference = "reference"
    /// The database of the tables that batches go to, whose positions come with the rows.
    static let batchReference = "reference_batches"

    /// Starts the server, creates the reference tables, runs something, and stops and removes everything.
    static func with<Value>(
        plan: Plan, skein: String, _ body: (Laboratory) async throws -> Value
    ) async throws -> Value {
        let folder = URL.temporaryDirectory.appending(path: "skein-bench-" + UUID().uuidString.prefix(8)).path
        // The server may run as another user, who must be able to enter.
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        var logger = Logger(label: "skein-bench") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let server = try await PrivateServer.startOrAdopt(
            dataDirectory: folder, settings: PrivateServerSettings(maxConnections: 200), logger: logger)
        let laboratory = Laboratory(
            plan: plan, skein: Program(path: skein), server: server, folder: folder, logger: logger)
        let result: Result<Value, any Error>
        do {
            for database in [reference, batchReference] {
                try await laboratory.makeDatabase(database)
                try await laboratory.runScript("reference.sql", in: database)
            }
            result = .success(try await body(laboratory))
        } catch {
            result = .failure(error)
        }
        try await remove(server, in: folder)
        return try result.get()
    }

    /// Stops a server, and removes it with its folder.
    static func remove(_ server: PrivateServer, in folder: String, mode: PrivateServer.StopMode = .fast) async throws {
        // Not in the cancelled task, if it is one: stopping must be waited for.
        try await Task { _ = try await server.stop(mode: mode) }.value
        for path in [server.homeDirectory, folder] { try? FileManager.default.removeItem(atPath: path) }
    }

    /// The owner's connections to a database.
    func owner(_ database: String) throws -> PostgresConfiguration {
        try PostgresConfiguration(server.url(database: database, user: .owner))
    }

    /// The service's connections to a database.
    func service(_ database: String) throws -> PostgresConfiguration {
        try PostgresConfiguration(server.url(database: database, user: .service))
    }

    /// The environment of `skein` for a database.
    func environment(_ database: String, logLevel: Logger.Level = .warning) -> [String: String] {
        Self.environment(logLevel: logLevel) { server.url(database: database, user: $0) }
    }

    /// The environment of `skein` for the URLs of the roles.
    static func environment(
        logLevel: Logger.Level = .warning, url: (PrivateServer.Role) -> String
    ) -> [String: String] {
        [
            "DATABASE_URL": url(.service), "DATABASE_OWNER_URL": url(.owner),
            "SKEIN_RATE_LIMITS": "off", "SKEIN_LOG_LEVEL": logLevel.rawValue, "SKEIN_OPERATIONS_PORT": "0",
            "SKEIN_CREDENTIAL_ATTEMPTS": "0", "SKEIN_PHOTOS_PER_DAY": "0", "SKEIN_PHOTO_BYTES_PER_DAY": "0",
            "SKEIN_UNVERIFIED_DAILY_PHOTO_BYTES": "0", "SKEIN_DISK_RESERVE": "0",
        ]
    }

    /// The service's URL for several servers; empty for none.
    static func url(of servers: [PrivateServer], database: String) -> String {
        let hosts = servers.map { "\($0.socketDirectory.replacing("/", with: "%2F")):\(PrivateServer.port)" }
        return hosts.isEmpty
            ? "" : "postgresql://\(PrivateServer.Role.service.rawValue)@\(hosts.joined(separator: ","))/\(database)"
    }

    /// Makes an empty database.
    func makeDatabase(_ name: String) async throws {
        try await withConnection(try owner(PrivateServer.database)) { connection in
            _ = try await connection.query("create database \(identifier: name) template template0")
        }
    }

    /// Makes an empty database unless there is one.
    func makeDatabaseIfMissing(_ name: String) async throws {
        let isThere = try await withConnection(try owner(PrivateServer.database)) { connection in
            try await connection.query("select from pg_database where datname = \(name)").count > 0
        }
        if !isThere { try await makeDatabase(name) }
    }

    /// Creates a database with Skein's tables, all empty.
    func makeLog(_ name: String) async throws {
        try await makeDatabase(name)
        try await skein.run(["migrate"], environment: environment(name), in: folder)
    }

    /// Removes a database despite connected clients.
    func dropDatabase(_ name: String) async throws {
        try await withConnection(try owner(PrivateServer.database)) { connection in
            _ = try await connection.query("drop database \(identifier: name) with (force)")
        }
    }

    /// Runs one of the scripts beside this program's sources, as the owner.
    func runScript(_ name: String, in database: String) async throws {
        let text = try script(name)
        try await withConnection(try owner(database)) { try await $0.executeScript(text) }
    }

    /// The text of a script.
    func script(_ name: String) throws -> String {
        try String(contentsOfFile: Self.scripts + "/" + name, encoding: .utf8)
    }

    /// The folder of the scripts.
    static let scripts = Plan.package + "/Benchmarks/scripts"

    /// Runs something with a connection of its own, whose statements may take hours.
    func withConnection<Value>(
        _ configuration: PostgresConfiguration, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        var configuration = configuration
        configuration.statementDeadline = .seconds(6 * 3_600)
        let connection = try await PostgresConnection.connect(configuration, logger: logger)
        let result: Result<Value, any Error>
        do { result = .success(try await body(connection)) } catch { result = .failure(error) }
        await connection.close()
        return try result.get()
    }

    /// Runs a checkpoint, so that no measure pays for the one before it.
    func checkpoint() async throws {
        try await withConnection(try owner(PrivateServer.database)) { _ = try await $0.query("checkpoint") }
    }
}
