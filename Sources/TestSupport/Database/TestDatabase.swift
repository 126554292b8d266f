package import EventLog
import FoundationEssentials
import Glibc
import Logging
import NIOConcurrencyHelpers
package import Postgres
import PrivateServer

/// A database for one test, with PostGIS and, if wanted, the project's migrations.
package struct TestDatabase: Sendable {
    /// `skein_test_<process>_<number>`.
    package let name: String
    /// How the owner of the database connects.
    package let owner: PostgresConfiguration
    /// How the service connects.
    package let service: PostgresConfiguration
    /// The same as ``owner``, for `DATABASE_OWNER_URL`.
    package let ownerURL: String
    /// The same as ``service``, for `DATABASE_URL`.
    package let serviceURL: String

    private static let prefix = "skein_test_"
    /// Beside `SKEIN_SHARE_DIR`, as the program finds them too, or the package's own.
    private static let migrationFolder =
        ProcessInfo.processInfo.environment["SKEIN_SHARE_DIR"].map { $0 + "/../migrations" }
        ?? PackageRoot.path + "/migrations"
    private static let made = NIOLockedValueBox(0)
    private static let logger = Logger(label: "skein.tests")

    /// Clones a database from a template made once for the migrations as they are now.
    ///
    /// - Parameters:
    ///   - migrated: whether the migrations in `migrations/` have been applied to it.
    ///   - models: those that are installed in it already.
    package static func make(migrated: Bool = true, models: [ReadModel] = []) async throws -> TestDatabase {
        let server = try await TestCluster.shared.server()
        let number = made.withLockedValue { made in
            made += 1
            return made
        }
        let name = "\(prefix)\(getpid())_\(number)"
        let migrations = try migrated ? MigrationFolder(path: migrationFolder).load() : nil
        try await TemplateDatabase(migrations: migrations, models: models).clone(as: name, on: server, logger: logger)
        let ownerURL = server.url(database: name, user: .owner)
        let serviceURL = server.url(database: name, user: .service)
        return TestDatabase(
            name: name, owner: try .unhurried(ownerURL), service: try .unhurried(serviceURL), ownerURL: ownerURL,
            serviceURL: serviceURL)
    }

    /// Drops it, terminating all connections.
    package func drop() async throws {
        try await Self.drop(name, on: TestCluster.shared.server(), logger: Self.logger)
    }

    /// Runs something with a connection of its own, closed afterwards.
    package func withConnection<Value: Sendable>(
        _ configuration: PostgresConfiguration, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await withTestConnection(configuration, logger: Self.logger, body)
    }

    /// Drops the databases of test processes that no longer live. Called before this process makes its first, so one
    /// with this process's number was made by an earlier process of the same number.
    static func dropAbandoned(on server: PrivateServer, logger: Logger) async throws {
        let names = try await server.withAdministration(logger: logger) { connection in
            try await connection.query("SELECT datname::text AS name FROM pg_catalog.pg_database")
                .rows.map { try $0.decode("name", as: String.self) }
        }
        for name in names where isAbandoned(name) {
            try await drop(name, on: server, logger: logger)
        }
    }

    private static func isAbandoned(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), let process = name.dropFirst(prefix.count).split(separator: "_").first,
            let id = Int32(process)
        else { return false }
        return id == getpid() || (kill(id, 0) != 0 && errno == ESRCH)
    }

    private static func drop(_ name: String, on server: PrivateServer, logger: Logger) async throws {
        try await server.withAdministration(logger: logger) { connection in
            while try await !isDropped(name, over: connection) {}
        }
    }

    /// - Returns: false if its backends, told to end, were still there after the five seconds that PostgreSQL gives
    ///   them.
    private static func isDropped(_ name: String, over connection: PostgresConnection) async throws -> Bool {
        do {
            try await connection.query("DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)")
            return true
        } catch {
            guard error.sqlState == .objectInUse else { throw error }
            return false
        }
    }
}

/// Runs a test with a database of its own, dropped afterwards even if the test fails.
package func withTestDatabase<Value: Sendable>(
    migrated: Bool = true, models: [ReadModel] = [], _ body: (TestDatabase) async throws -> Value
) async throws -> Value {
    let database = try await TestDatabase.make(migrated: migrated, models: models)
    let result: Result<Value, any Error>
    do {
        result = .success(try await body(database))
    } catch {
        result = .failure(error)
    }
    try await database.drop()
    return try result.get()
}

extension PrivateServer {
    /// A connection of the owner's to the database `postgres`, from which others are made and dropped.
    func withAdministration<Value: Sendable>(
        logger: Logger, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let configuration = try PostgresConfiguration.unhurried(url(database: "postgres", user: .owner))
        return try await withTestConnection(configuration, logger: logger, body)
    }
}

/// Connects, runs and closes.
private func withTestConnection<Value: Sendable>(
    _ configuration: PostgresConfiguration, logger: Logger, _ body: (PostgresConnection) async throws -> Value
) async throws -> Value {
    let connection = try await PostgresConnection.connect(configuration, logger: logger)
    let result: Result<Value, any Error>
    do {
        result = .success(try await body(connection))
    } catch {
        result = .failure(error)
    }
    await connection.close()
    return try result.get()
}
