package import Logging

/// Brings a database's schema up to date, forward only.
///
/// What was applied is remembered in `public.schema_migrations`, with a checksum. One process migrates at a time; each
/// migration is a transaction together with its entry in that table, so a crash leaves whole migrations.
package struct Migrator: Sendable {
    private let list: MigrationList
    private let logger: Logger
    /// How long to wait for another process that is migrating.
    private let timeout: Duration
    /// The deadline for one migration, which may rewrite a large table.
    private static let deadline: Duration = .seconds(24 * 3_600)
    /// How long a statement of a migration may wait for a lock: the service's statements queue behind it meanwhile.
    private let lockTimeout: Duration

    /// Migrates to the end of a list.
    package init(
        _ list: MigrationList, timeout: Duration = .seconds(600), lockTimeout: Duration = .seconds(10), logger: Logger
    ) {
        self.list = list
        self.logger = logger
        self.timeout = timeout
        self.lockTimeout = lockTimeout
    }

    /// Applies what is pending, over a connection of its own, and returns it.
    ///
    /// - Parameter configuration: how the owner of the database connects.
    /// - Throws: ``MigrationError``. Migrations before the one that failed stay applied.
    @discardableResult
    package func migrate(_ configuration: PostgresConfiguration) async throws(MigrationError) -> [Migration] {
        // Neither may end a long migration half way.
        var unhurried = configuration.with(options: [
            "statement_timeout": "0", "idle_in_transaction_session_timeout": "0",
        ])
        unhurried.statementDeadline = Self.deadline
        let settings = unhurried
        let connection = try await inDatabase { () async throws(PostgresError) in
            try await PostgresConnection.connect(settings, logger: logger)
        }
        let result: Result<[Migration], MigrationError>
        do {
            result = .success(try await migrate(over: connection))
        } catch {
            result = .failure(error)
        }
        // Gives the lock back, and rolls back what a cancelled task has left open.
        await connection.close()
        return try result.get()
    }

    /// What is applied and what is pending. Any role may ask.
    ///
    /// - Throws: ``MigrationError`` when database and files contradict each other, or the database cannot be asked.
    package func status(of database: some PostgresQuerying) async throws(MigrationError) -> MigrationStatus {
        let applied = try await inDatabase { () async throws(PostgresError) in
            try await SchemaMigrations.applied(in: database)
        }
        return try MigrationStatus(applied: applied, known: list)
    }

    private func migrate(over connection: PostgresConnection) async throws(MigrationError) -> [Migration] {
        try await lock(connection)
        try await inDatabase { () async throws(PostgresError) in try await SchemaMigrations.create(over: connection) }
        let pending = try await status(of: connection).pending
        for migration in pending {
            try await apply(migration, over: connection)
            logger.info("Migrated the database", metadata: ["migration": "\(migration.name)"])
        }
        return pending
    }

    /// Asks again and again rather than waiting in the server: a statement that waits holds a snapshot, for which the
    /// other's `CREATE INDEX CONCURRENTLY` would wait in turn.
    private func lock(_ connection: PostgresConnection) async throws(MigrationError) {
        let deadline = ContinuousClock.now + timeout
        while try await !tryLock(connection) {
            guard ContinuousClock.now < deadline else { throw .locked(timeout) }
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                throw .database(PostgresError(.cancelled, "the task was cancelled while it waited to migrate"))
            }
        }
    }

    private func tryLock(_ connection: PostgresConnection) async throws(MigrationError) -> Bool {
        try await inDatabase { () async throws(PostgresError) in try await SchemaMigrations.tryLock(connection) }
    }

    private func apply(_ migration: Migration, over connection: PostgresConnection) async throws(MigrationError) {
        let hasKeptTransaction: Bool
        do {
            hasKeptTransaction = try await commit(migration, over: connection)
        } catch {
            throw .failed(name: migration.name, line: error.position.map(migration.line(atCharacter:)), error)
        }
        guard hasKeptTransaction else { throw .endedTransaction(name: migration.name) }
    }

    /// Runs a migration and notes it, both or neither. False when its text has ended the transaction.
    private func commit(
        _ migration: Migration, over connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        try await connection.executeScript("BEGIN; SET LOCAL lock_timeout = '\(lockTimeoutMilliseconds)ms'")
        let transaction = try await SchemaMigrations.transaction(of: connection)
        try await connection.executeScript(migration.text)
        guard try await SchemaMigrations.transaction(of: connection) == transaction else { return false }
        // The settings and the role that a migration has left must be neither the note's nor the next one's.
        try await connection.executeScript("RESET SESSION AUTHORIZATION; RESET ALL")
        try await SchemaMigrations.remember(migration, over: connection)
        try await connection.executeScript("COMMIT")
        return true
    }

    /// Whole milliseconds, at least one: zero would mean no limit.
    private var lockTimeoutMilliseconds: Int64 {
        max(1, Int64(lockTimeout / .milliseconds(1)))
    }

    private func inDatabase<Value: Sendable>(
        _ body: () async throws(PostgresError) -> Value
    ) async throws(MigrationError) -> Value {
        do {
            return try await body()
        } catch {
            throw .database(error)
        }
    }
}
