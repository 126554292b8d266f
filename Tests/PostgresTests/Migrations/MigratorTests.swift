import Logging
import Postgres
import TestSupport
import Testing

struct MigratorTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static let birds = (name: "0001_create_birds.sql", text: "CREATE TABLE birds (id int);\nSELECT 1;\n")
    private static let nests = (name: "0002_create_nests.sql", text: "CREATE TABLE nests (id int);")

    private func migrator(
        _ files: (name: String, text: String)..., timeout: Duration = .seconds(60),
        lockTimeout: Duration = .seconds(10)
    ) throws -> Migrator {
        Migrator(
            try MigrationList(files: files), timeout: timeout, lockTimeout: lockTimeout, logger: Self.logger)
    }

    /// The error of migrating, which must be one.
    private func failure(_ migrator: Migrator, _ database: TestDatabase) async throws -> MigrationError {
        try #require(
            await #expect(throws: MigrationError.self) { try await migrator.migrate(database.owner) })
    }

    @Test func `a fresh database gets everything, and a second time nothing`() async throws {
        try await withTestDatabase(migrated: false) { database in
            let migrator = try migrator(Self.birds, Self.nests)
            #expect(try await migrator.migrate(database.owner).map(\.number) == [1, 2])
            #expect(try await migrator.migrate(database.owner).isEmpty)
            #expect(try await database.tables() == ["birds", "nests"])
        }
    }

    @Test func `the status tells what is applied and what is pending, to the service too`() async throws {
        try await withTestDatabase(migrated: false) { database in
            let both = try migrator(Self.birds, Self.nests)
            try await database.withConnection(database.service) { connection in
                let before = try await both.status(of: connection)
                #expect(before.applied.isEmpty && before.pending.map(\.number) == [1, 2])
                try await migrator(Self.birds).migrate(database.owner)
                let after = try await both.status(of: connection)
                #expect(after.applied.map(\.name) == [Self.birds.name])
                #expect(after.pending.map(\.name) == [Self.nests.name])
                try await both.migrate(database.owner)
                #expect(try await both.status(of: connection).pending.isEmpty)
            }
        }
    }

    @Test func `an applied file that has changed is rejected by name, and nothing more is applied`() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await migrator(Self.birds).migrate(database.owner)
            let edited = (name: Self.birds.name, text: Self.birds.text + " ")
            let error = try await failure(migrator(edited, Self.nests), database)
            guard case .drift(Self.birds.name) = error else { throw error }
            #expect("\(error)".contains(Self.birds.name))
            #expect(try await database.tables() == ["birds"])
        }
    }

    @Test func `an applied file that has another name now is rejected`() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await migrator(Self.birds).migrate(database.owner)
            let error = try await failure(migrator((name: "0001_make_birds.sql", text: Self.birds.text)), database)
            guard case .renamed(Self.birds.name, "0001_make_birds.sql") = error else { throw error }
        }
    }

    @Test func `an older program works on a database that a newer one has migrated`() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await migrator(Self.birds, Self.nests).migrate(database.owner)
            #expect(try await migrator(Self.birds).migrate(database.owner).isEmpty)
            try await database.withConnection(database.service) { connection in
                let status = try await migrator(Self.birds).status(of: connection)
                #expect(status.pending.isEmpty && status.newer.map(\.name) == [Self.nests.name])
            }
        }
    }

    @Test(arguments: ["-- incompatible", "-- incompatible: nests lay in birds"])
    func `unless a migration says that it cannot`(header: String) async throws {
        try await withTestDatabase(migrated: false) { database in
            let nests = (name: Self.nests.name, text: header + "\n" + Self.nests.text)
            try await migrator(Self.birds, nests).migrate(database.owner)
            let error = try await failure(migrator(Self.birds), database)
            guard case .databaseNewer([nests.name]) = error else { throw error }
        }
    }

    @Test(arguments: ["\n-- incompatible", "-- incompatible with nothing", "-- Incompatible"])
    func `which only its first line can`(header: String) throws {
        #expect(try !Migration(fileName: Self.nests.name, text: header + "\nSELECT 1;").isIncompatible)
    }

    @Test func `a database that lacks one before the last is rejected`() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await migrator(Self.birds, Self.nests).migrate(database.owner)
            try await database.withConnection(database.owner) { connection in
                _ = try await connection.query("DELETE FROM public.schema_migrations WHERE number = 1")
            }
            let error = try await failure(migrator(Self.birds, Self.nests), database)
            guard case .gap(missing: 1) = error else { throw error }
        }
    }

    @Test func `a migration that fails is rolled back and named, with line and SQLSTATE; those before it stay`()
        async throws
    {
        try await withTestDatabase(migrated: false) { database in
            let broken = (name: "0002_create_nests.sql", text: "CREATE TABLE nests (id int);\n-- é\n\nSELEKT 1;")
            let error = try await failure(migrator(Self.birds, broken), database)
            guard case .failed(broken.name, 4, _) = error else { throw error }
            #expect(error.sqlState == .syntaxError)
            #expect("\(error)".contains("0002_create_nests.sql failed and was rolled back (line 4) (SQLSTATE 42601)"))
            // A syntax error is found before anything runs; this one after a table was made.
            let divides = (name: broken.name, text: "CREATE TABLE nests (id int);\nSELECT 1 / 0;")
            #expect(try await failure(migrator(Self.birds, divides), database).sqlState == .divisionByZero)
            #expect(try await database.tables() == ["birds"])
            #expect(try await migrator(Self.birds, Self.nests).migrate(database.owner).map(\.number) == [2])
        }
    }

    @Test func `a constraint that fails only at commit is a failed migration`() async throws {
        try await withTestDatabase(migrated: false) { database in
            let text = """
                CREATE TABLE nests (id int UNIQUE DEFERRABLE INITIALLY DEFERRED);
                INSERT INTO nests VALUES (1), (1);
                """
            let error = try await failure(migrator((name: "0001_create_nests.sql", text: text)), database)
            #expect(error.sqlState == .uniqueViolation)
            #expect(try await database.tables().isEmpty)
            #expect(try await migrator(Self.birds).migrate(database.owner).count == 1)
        }
    }

    @Test(arguments: ["COMMIT", "ROLLBACK", "COMMIT; BEGIN"])
    func `a migration that ends its own transaction is found out`(statement: String) async throws {
        try await withTestDatabase(migrated: false) { database in
            let rogue = (name: Self.birds.name, text: "CREATE TABLE birds (id int); \(statement);")
            let error = try await failure(migrator(rogue), database)
            guard case .endedTransaction(rogue.name) = error else { throw error }
        }
    }

    @Test func `settings and role of one migration are not the next one's`() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await migrator(
                (name: "0001_change_settings.sql", text: "SET search_path = pg_temp; SET ROLE skein_service;"),
                Self.nests
            ).migrate(database.owner)
            #expect(try await database.tables() == ["nests"])
        }
    }

    @Test func `one of several migrators that start at once applies everything`() async throws {
        try await withTestDatabase(migrated: false) { database in
            let slow = (name: Self.birds.name, text: "CREATE TABLE birds (id int); SELECT pg_sleep(0.1);")
            let migrator = try migrator(slow, Self.nests)
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...5 { group.addTask { try await migrator.migrate(database.owner).count } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.sorted() == [0, 0, 0, 0, 2])
        }
    }

    @Test func `one that waits for another for too long says so`() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await database.withConnection(database.owner) { connection in
                try await connection.query("SELECT pg_advisory_lock(\(Int64(0x73_6b_65_69_6e)))")
                let error = try await failure(migrator(Self.birds, timeout: .milliseconds(1)), database)
                guard case .locked = error else { throw error }
            }
            #expect(try await migrator(Self.birds).migrate(database.owner).count == 1)
        }
    }

    @Test func `a migration does not wait for a table's lock forever`() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await migrator(Self.birds).migrate(database.owner)
            try await database.withConnection(database.owner) { connection in
                try await connection.executeScript("BEGIN; LOCK TABLE birds")
                let alters = (name: "0002_alter_birds.sql", text: "ALTER TABLE birds ADD COLUMN n int")
                let error = try await failure(
                    migrator(Self.birds, alters, lockTimeout: .milliseconds(1)), database)
                #expect(error.sqlState == .lockNotAvailable)
                try await connection.executeScript("ROLLBACK")
            }
        }
    }

    @Test func `a database that is not there is an error of the database`() async throws {
        let nowhere = try await TestCluster.shared.configuration(database: "no such database")
        let error = await #expect(throws: MigrationError.self) { try await migrator(Self.birds).migrate(nowhere) }
        guard case .database? = error else { throw try #require(error) }
    }
}

extension TestDatabase {
    /// The tables in schema `public` that the tests' migrations have made.
    fileprivate func tables() async throws -> [String] {
        try await withConnection(owner) { connection in
            try await connection.query(
                """
                SELECT tablename::text AS name FROM pg_catalog.pg_tables
                WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'spatial_ref_sys') ORDER BY 1
                """
            ).rows.map { try $0.decode("name") }
        }
    }
}
