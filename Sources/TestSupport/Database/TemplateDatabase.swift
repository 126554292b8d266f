import Crypto
import EventLog
import Logging
import Postgres
import PrivateServer

/// A database with PostGIS, migrations and read models that is made once and then cloned.
struct TemplateDatabase: Sendable {
    /// The migrations applied to it; nil for none.
    let migrations: MigrationList?
    /// The models installed in it; they need migrations.
    var models: [ReadModel] = []

    private static let prefix = "skein_template_"

    /// Named after its contents: another set of migrations or models has another template.
    var name: String {
        guard !models.isEmpty else { return nameWithoutModels }
        let definitions = models.map { "\($0.schema)\u{0}\($0.table)\u{0}\($0.fold)" }.joined(separator: "\u{0}")
        let digest = SHA256.hash(data: Array(definitions.utf8)).prefix(6).map { String($0, radix: 16) }
        return "\(nameWithoutModels)_\(digest.joined())"
    }

    private var nameWithoutModels: String {
        Self.prefix + (migrations.map { String($0.digest.prefix(16)) } ?? "postgis")
    }

    /// Makes a database like this one.
    func clone(as copy: String, on server: PrivateServer, logger: Logger) async throws {
        try await server.withAdministration(logger: logger) { connection in
            while try await !isCloned(as: copy, over: connection, on: server, logger: logger) {}
            // Rights on a database are not cloned with it.
            try await connection.query(
                "GRANT CREATE, CONNECT, TEMPORARY ON DATABASE \(identifier: copy) TO skein_service")
        }
    }

    /// - Returns: false if the template was in use, or was dropped by a process that needs others.
    private func isCloned(
        as copy: String, over connection: PostgresConnection, on server: PrivateServer, logger: Logger
    ) async throws -> Bool {
        try await make(over: connection, on: server, logger: logger)
        do {
            try await connection.query(
                "CREATE DATABASE \(identifier: copy) TEMPLATE \(identifier: name) STRATEGY = file_copy")
            return true
        } catch {
            guard [.objectInUse, .invalidCatalogName].contains(error.sqlState) else { throw error }
            return false
        }
    }

    /// Makes the template if it is missing; other processes that need it wait.
    private func make(over connection: PostgresConnection, on server: PrivateServer, logger: Logger) async throws {
        if try await exists(connection) { return }
        try await connection.query("SELECT pg_catalog.pg_advisory_lock(hashtext(\(Self.prefix)))")
        if try await !exists(connection) {
            try await dropOutdated(connection)
            let unfinished = name + "_unfinished"
            try await connection.query("DROP DATABASE IF EXISTS \(identifier: unfinished) WITH (FORCE)")
            try await connection.query("CREATE DATABASE \(identifier: unfinished)")
            try await fill(unfinished, on: server, logger: logger)
            try await connection.query(
                "ALTER DATABASE \(identifier: unfinished) RENAME TO \(identifier: name)")
        }
        try await connection.query("SELECT pg_catalog.pg_advisory_unlock(hashtext(\(Self.prefix)))")
    }

    private func exists(_ connection: PostgresConnection) async throws -> Bool {
        try await connection.query("SELECT FROM pg_catalog.pg_database WHERE datname = \(name)").count == 1
    }

    private func fill(_ database: String, on server: PrivateServer, logger: Logger) async throws {
        let owner = try PostgresConfiguration.unhurried(server.url(database: database, user: .owner))
        let connection = try await PostgresConnection.connect(owner, logger: logger)
        try await connection.executeScript("CREATE EXTENSION postgis")
        await connection.close()
        guard let migrations else { return }
        try await Migrator(migrations, logger: logger).migrate(owner)
        guard !models.isEmpty else { return }
        let service = try PostgresConfiguration.unhurried(server.url(database: database, user: .service))
        try await PostgresPool.withPool(service, PostgresPoolConfiguration().unhurried, logger: logger) {
            try await ModelInstaller($0).install(models)
        }
    }

    /// Templates of earlier sets of migrations or models, which are no longer needed.
    private func dropOutdated(_ connection: PostgresConnection) async throws {
        let names = try await connection.query("SELECT datname::text AS name FROM pg_catalog.pg_database")
            .rows.map { try $0.decode("name", as: String.self) }
        let current = [name, nameWithoutModels, Self(migrations: nil).name]
        // Those with models stay when one without is made.
        for outdated in names
        where outdated.hasPrefix(Self.prefix) && !current.contains(outdated)
            && (!models.isEmpty || !outdated.hasPrefix(nameWithoutModels + "_"))
        {
            // One that is being cloned at this moment stays until the next time.
            _ = try? await connection.query("DROP DATABASE IF EXISTS \(identifier: outdated)")
        }
    }
}

extension SQLState {
    /// object_in_use
    static let objectInUse: SQLState = "55006"
    /// invalid_catalog_name: no such database
    fileprivate static let invalidCatalogName: SQLState = "3D000"
}
