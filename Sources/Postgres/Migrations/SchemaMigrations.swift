/// `public.schema_migrations`, in which a database remembers what was applied to it.
///
///     number integer, name text, checksum text (SHA-256, hexadecimal), incompatible boolean, applied_at timestamptz
enum SchemaMigrations {
    /// `skein` in ASCII. Advisory locks are a database's own, so one number serves all databases of a server.
    private static let lockKey: Int64 = 0x73_6b_65_69_6e

    /// Whether this session now holds the migrators' lock; it does until it ends.
    static func tryLock(_ connection: PostgresConnection) async throws(PostgresError) -> Bool {
        let result = try await connection.query("SELECT pg_catalog.pg_try_advisory_lock(\(lockKey)) AS locked")
        return try result.onlyRow.decode("locked")
    }

    /// Makes the table if it is missing. Everybody may read it: the service says in its readiness what is applied.
    static func create(over connection: PostgresConnection) async throws(PostgresError) {
        guard try await !exists(in: connection) else { return }
        try await connection.executeScript(
            """
            CREATE TABLE public.schema_migrations (
                number       integer     PRIMARY KEY,
                name         text        NOT NULL,
                checksum     text        NOT NULL,
                -- Programs without this migration cannot work here. They lack the file that says so.
                incompatible boolean     NOT NULL,
                applied_at   timestamptz NOT NULL DEFAULT clock_timestamp()
            );
            GRANT SELECT ON public.schema_migrations TO PUBLIC;
            """)
    }

    /// What was applied, in order of the numbers; nothing where the table is missing.
    static func applied(in database: some PostgresQuerying) async throws(PostgresError) -> [MigrationStatus.Applied] {
        guard try await exists(in: database) else { return [] }
        let result = try await database.query(
            "SELECT number, name, checksum, incompatible FROM public.schema_migrations ORDER BY number")
        var applied: [MigrationStatus.Applied] = []
        for row in result.rows {
            applied.append(
                MigrationStatus.Applied(
                    number: try row.decode("number"), name: try row.decode("name"),
                    checksum: try row.decode("checksum"), isIncompatible: try row.decode("incompatible")))
        }
        return applied
    }

    /// Notes a migration in the transaction that applies it.
    static func remember(_ migration: Migration, over connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query(
            """
            INSERT INTO public.schema_migrations (number, name, checksum, incompatible)
            VALUES (\(migration.number), \(migration.name), \(migration.checksum), \(migration.isIncompatible))
            """)
    }

    /// The number of the session's transaction, which gets one if it has none yet.
    static func transaction(of connection: PostgresConnection) async throws(PostgresError) -> String {
        let result = try await connection.query("SELECT pg_catalog.pg_current_xact_id()::text AS transaction")
        return try result.onlyRow.decode("transaction")
    }

    private static func exists(in database: some PostgresQuerying) async throws(PostgresError) -> Bool {
        let result = try await database.query(
            "SELECT pg_catalog.to_regclass('public.schema_migrations') IS NOT NULL AS \"exists\"")
        return try result.onlyRow.decode("exists")
    }
}

extension PostgresResult {
    /// The row of a statement that always gives one.
    fileprivate var onlyRow: PostgresRow {
        get throws(PostgresError) {
            guard let first else { throw PostgresError(.decoding, "the statement gave no row") }
            return first
        }
    }
}

/// The migrations that a database has, and those that it lacks.
package struct MigrationStatus: Sendable {
    /// A migration as the database remembers it.
    package struct Applied: Hashable, Sendable {
        /// The number at the start of its name.
        package let number: Int
        /// Its file's name then.
        package let name: String
        /// SHA-256 of its text then.
        package let checksum: String
        /// Whether programs without this migration cannot work on this database.
        package let isIncompatible: Bool
    }

    /// In order of their numbers.
    package let applied: [Applied]
    /// The migrations not yet applied, in order.
    package let pending: [Migration]
    /// Migrations of a newer program with which this one can work.
    package let newer: [Applied]

    /// Compares what a database remembers with what a program has.
    ///
    /// - Throws: ``MigrationError/databaseNewer(unknown:)`` when this program cannot work with one that it lacks,
    ///   ``MigrationError/renamed(applied:file:)``, ``MigrationError/drift(name:)``;
    ///   ``MigrationError/gap(missing:)`` when the database lacks one before the last.
    init(applied: [Applied], known: MigrationList) throws(MigrationError) {
        for (index, (old, file)) in zip(applied, known.migrations).enumerated() {
            guard old.number == index + 1 else { throw .gap(missing: index + 1) }
            guard old.name == file.name else { throw .renamed(applied: old.name, file: file.name) }
            guard old.checksum == file.checksum else { throw .drift(name: file.name) }
        }
        newer = applied.filter { $0.number > known.migrations.count }
        let incompatible = newer.filter(\.isIncompatible)
        guard incompatible.isEmpty else { throw .databaseNewer(unknown: incompatible.map(\.name)) }
        self.applied = applied
        pending = Array(known.migrations.dropFirst(applied.count))
    }
}
