import FoundationEssentials
package import Logging
package import Postgres

/// Lists this process among those that serve, and drops the read models that none of them follows any more.
///
/// During an upgrade, two versions of a model exist side by side. An old one is dropped an hour after the last process
/// that followed it was seen, because redactions no longer reach its rows.
package struct ProcessRegister: Sendable {
    private let id = UUID()
    private let name: String
    private let models: [ReadModel]
    private let pool: PostgresPool
    private let logger: Logger

    /// - Parameters:
    ///   - name: host and number of the process, for people.
    ///   - models: those that it follows.
    package init(_ name: String, following models: [ReadModel], pool: PostgresPool, logger: Logger) {
        self.name = name
        self.models = models
        self.pool = pool
        self.logger = logger
    }

    /// Stays listed until the task is cancelled.
    package func run() async {
        await repeating(every: .seconds(60), else: "process not listed", at: .debug, to: logger) {
            if try await beat() { try await prune() }
        }
    }

    /// Records that this process is running.
    /// - Returns: whether it had done so within the last minutes too, so that other processes had the time to do the
    ///   same.
    /// - Throws: `PostgresError`.
    package func beat() async throws(PostgresError) -> Bool {
        let before: Date? = try await pool.query(
            "select model.beat(\(id), \(name), \(models.map(\.schema))) as before"
        ).onlyRow().decode("before")
        return before != nil
    }

    /// Drops the models that no process follows, and their checkpoints.
    /// - Returns: their schemas.
    /// - Throws: `PostgresError`; a model that is in use after all is left for the next time.
    @discardableResult
    package func prune() async throws -> [String] {
        let unused = try await pool.query("select schema from model.unused")
        var pruned: [String] = []
        for row in unused.rows {
            let schema: String = try row.decode("schema")
            let isUnused = try await pool.transaction { connection in
                _ = try await connection.query("set local lock_timeout = '1s'")
                // A process that starts may have taken it up since.
                try await ModelInstaller.lock(connection)
                let isUnused = try await connection.query("select from model.unused where schema = \(schema)").count > 0
                guard isUnused else { return false }
                try await ModelInstaller.discard(schema, connection)
                return true
            }
            guard isUnused else { continue }
            logger.notice("dropped a read model that no process follows", metadata: ["model": "\(schema)"])
            pruned.append(schema)
        }
        return pruned
    }
}
