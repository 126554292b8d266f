import Logging
import Postgres
import TestSupport
import Testing

struct TestDatabaseTests {
    private static let logger = Logger(label: "test")

    private func names() async throws -> [String] {
        let configuration = try await TestCluster.shared.configuration(database: "postgres")
        let connection = try await PostgresConnection.connect(configuration, logger: Self.logger)
        let names = try await connection.query("SELECT datname::text AS name FROM pg_database")
            .rows.map { try $0.decode("name", as: String.self) }
        await connection.close()
        return names
    }

    @Test func `a database has PostGIS and all migrations, and belongs to nobody else`() async throws {
        try await withTestDatabase { database in
            try await database.withConnection(database.owner) { connection in
                let migrations = try MigrationFolder(path: PackageRoot.path + "/migrations").load()
                let status = try await Migrator(migrations, logger: Self.logger).status(of: connection)
                #expect(status.pending.isEmpty)
                #expect(status.applied.count == migrations.migrations.count)
                let row = try #require(try await connection.query("SELECT postgis_lib_version() AS version").first)
                #expect(try row.decode("version", as: String.self).hasPrefix("3."))
            }
        }
    }

    @Test func `the service may make schemas in it, and is not the owner`() async throws {
        try await withTestDatabase { database in
            try await database.withConnection(database.service) { connection in
                try await connection.query("CREATE SCHEMA checked_v1")
                let row = try #require(
                    try await connection.query(
                        "SELECT current_user::text AS role, current_setting('is_superuser') AS super"
                    )
                    .first)
                #expect(try row.decode("role", as: String.self) == "skein_service")
                #expect(try row.decode("super", as: String.self) == "off")
            }
        }
    }

    @Test func `databases made at once do not see each other's rows, and are gone afterwards`() async throws {
        let made = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 1...6 {
                group.addTask {
                    try await withTestDatabase(migrated: number.isMultiple(of: 2)) { database in
                        try await database.withConnection(database.owner) { connection in
                            try await connection.executeScript("CREATE TABLE mine (n int)")
                        }
                        return database.name
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(made).count == 6)
        #expect(Set(try await names()).isDisjoint(with: made))
    }

    @Test func `a database is dropped under the feet of those who are still connected`() async throws {
        let database = try await TestDatabase.make(migrated: false)
        let connection = try await PostgresConnection.connect(database.owner, logger: Self.logger)
        try await database.drop()
        await #expect(throws: PostgresError.self) { try await connection.query("SELECT 1") }
        await connection.close()
    }

    @Test func `a test that throws leaves no database`() async throws {
        struct Failure: Error {}
        var name = ""
        await #expect(throws: Failure.self) {
            try await withTestDatabase(migrated: false) { database in
                name = database.name
                throw Failure()
            }
        }
        #expect(!name.isEmpty)
        #expect(try await !names().contains(name))
    }
}
