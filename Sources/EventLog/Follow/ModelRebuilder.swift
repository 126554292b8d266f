package import Logging
package import Postgres

/// Rebuilds a read model beside the one in use, then swaps it in.
///
/// Readers and the projector use the old rows until the swap. The swap folds the events that were appended meanwhile
/// and renames both schemas, in one transaction that locks the checkpoint and waits for no reader: renaming a schema
/// takes no lock on its tables. Running statements finish on the old tables, which are dropped when the last of them
/// has ended.
package struct ModelRebuilder: Sendable {
    /// The deadline for one statement, which folds a batch.
    private static let deadline: Duration = .seconds(6 * 3_600)

    private let pool: PostgresPool
    private let swapTime: Duration
    private let logger: Logger

    /// Rebuilds in a pool's database.
    /// - Parameter swapTime: how long the swap may fold if appends are as fast as folding; the model in use is not
    ///   followed meanwhile.
    package init(_ pool: PostgresPool, swapTime: Duration = .seconds(60), logger: Logger) {
        self.pool = pool
        self.swapTime = swapTime
        self.logger = logger
    }

    /// - Parameter batch: positions folded in one transaction.
    /// - Returns: the position up to which the rebuilt model is folded.
    /// - Throws: `PostgresError` (SQLSTATE SKE04: a position is missing from the log); ``RebuildUnderWay`` while
    ///   another process rebuilds the model; ``RebuildOutrun`` if it does not catch up with the log.
    package func rebuild(_ model: ReadModel, batch: Int64 = 1_000_000) async throws -> Int64 {
        try await pool.withExclusive { guardian in
            let key = "rebuild " + model.schema
            let isFree: Bool = try await guardian.query(
                "select pg_try_advisory_lock(hashtextextended(\(key), 0)) as free"
            ).onlyRow().decode("free")
            guard isFree else { throw RebuildUnderWay(model: model.schema) }
            do {
                let position = try await build(Rebuild(model, guardian), batch: batch)
                _ = try await guardian.query("select pg_advisory_unlock(hashtextextended(\(key), 0))")
                return position
            } catch {
                // A cancelled task runs no statement; the lock ends with the session.
                await guardian.close()
                throw error
            }
        }
    }

    private func build(_ rebuild: Rebuild, batch: Int64) async throws -> Int64 {
        for leftover in [rebuild.aside, rebuild.replaced] { try await drop(leftover) }
        try await pool.transaction(within: Self.deadline) { connection in
            try await ModelInstaller.build(rebuild.model, in: rebuild.aside, connection)
        }
        let position: Int64
        do {
            position = try await catchUp(rebuild, batch: batch)
        } catch let error as RebuildOutrun {
            try await drop(rebuild.aside)
            throw error
        }
        try await analyze(rebuild.aside)
        let reached = try await retrying("swap") { try await swap(rebuild, from: position) }
        try await drop(rebuild.replaced)
        return reached
    }

    /// Folds into the separate schema, in rounds.
    /// - Returns: the position from which the swap folds the rest.
    private func catchUp(_ rebuild: Rebuild, batch: Int64) async throws -> Int64 {
        var catchUp = CatchUp(rebuild.model.schema, batch: batch, swapTime: swapTime)
        var position: Int64 = 0
        while true {
            let head = try await pool.withExclusive { try await LogOrigin.read($0).position }
            guard case .fold(let next) = try catchUp.next(position: position, head: head) else { return position }
            try await pool.transaction(within: Self.deadline) { [position] connection in
                try await fold(rebuild.aside, after: position, upTo: next, connection)
                try await rebuild.expectLock()
            }
            position = next
            logger.info("rebuilding", metadata: ["model": "\(rebuild.model.schema)", "position": "\(position)"])
        }
    }

    private func fold(
        _ schema: String, after position: Int64, upTo head: Int64, _ connection: PostgresConnection
    ) async throws {
        _ = try await connection.query("select model.expect_all(\(position), \(head))")
        // As model.fold does.
        _ = try await connection.query(
            "select log.see_partition((select e.tableoid from log.events e where e.position = \(head)))")
        _ = try await connection.query("select \(identifier: schema).fold(\(position), \(head))")
    }

    /// Without this, the first statements on the new tables would be planned without statistics.
    private func analyze(_ schema: String) async throws {
        try await pool.withExclusive(within: Self.deadline) { connection in
            let tables = try await connection.query(
                "select tablename::text as name from pg_tables where schemaname = \(schema)")
            for row in tables.rows {
                let table: String = try row.decode("name")
                _ = try await connection.query("analyze \(identifier: schema).\(identifier: table)")
            }
        }
    }
}

// MARK: - Swapping

extension ModelRebuilder {
    /// The schemas of a rebuild.
    private struct Rebuild {
        let model: ReadModel
        /// The new tables, until the swap.
        var aside: String { model.schema + "_rebuild" }
        /// The old ones, after it.
        var replaced: String { model.schema + "_replaced" }

        /// Holds the lock on the rebuild as long as its session lives.
        private let guardian: PostgresConnection

        init(_ model: ReadModel, _ guardian: PostgresConnection) {
            (self.model, self.guardian) = (model, guardian)
        }

        /// Without the lock, another process may be building in the same place.
        /// - Throws: `PostgresError` when the session has ended.
        func expectLock() async throws(PostgresError) {
            _ = try await guardian.query("select")
        }
    }

    private func swap(_ rebuild: Rebuild, from position: Int64) async throws -> Int64 {
        let model = rebuild.model
        return try await pool.transaction(within: Self.deadline) { connection in
            // A projector may be folding, which takes a while. Nothing is locked yet that others could wait for.
            _ = try await connection.query("set local lock_timeout = '5s'")
            _ = try await connection.query(
                """
                select from model.checkpoints
                 where \(fragment: model.isItsCheckpoint) for update
                """)
            let head = try await LogOrigin.read(connection).position
            if head > position { try await fold(rebuild.aside, after: position, upTo: head, connection) }
            for (old, new) in [(model.schema, rebuild.replaced), (rebuild.aside, model.schema)] {
                _ = try await connection.query("alter schema \(identifier: old) rename to \(identifier: new)")
            }
            // Functions remember the schema they were made in; made again, they replace themselves.
            _ = try await connection.query("set local search_path = \(identifier: model.schema), pg_catalog, public")
            try await connection.executeScript(model.fold)
            _ = try await connection.query(
                """
                update model.checkpoints
                   set position = \(head), updated_at = log.clock(), epoch = (select epoch from log.head),
                       build = (select id from \(identifier: model.schema).build),
                       failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
                 where \(fragment: model.isItsCheckpoint)
                """)
            try await rebuild.expectLock()
            return head
        }
    }

    /// Drops a schema that no new reader names. A reader at work may hold one of its tables and want another, so this
    /// side gives way before PostgreSQL looks for deadlocks (after a second).
    private func drop(_ schema: String) async throws {
        try await retrying("drop") {
            try await pool.transaction(within: Self.deadline) { connection in
                _ = try await connection.query("set local lock_timeout = '500ms'")
                _ = try await connection.query("drop schema if exists \(identifier: schema) cascade")
            }
        }
    }

    /// Repeats a transaction that did not get its locks, with growing pauses, until the task is cancelled.
    private func retrying<Value>(_ step: String, _ body: () async throws -> Value) async throws -> Value {
        var backOff = BackOff(base: .milliseconds(100), limit: .seconds(5))
        while true {
            do {
                return try await body()
            } catch let error as PostgresTransactionError where error.isLockUnavailable {
                logger.info("rebuild waits for readers or a projector", metadata: ["step": "\(step)"])
                try await Task.sleep(for: backOff.next())
            }
        }
    }
}

extension PostgresTransactionError {
    fileprivate var isLockUnavailable: Bool {
        guard let state = (underlying as? PostgresError)?.sqlState else { return false }
        return state == .lockNotAvailable || state == .deadlockDetected
    }
}

/// Another process is rebuilding the model: two would build in the same place.
package struct RebuildUnderWay: Error, Hashable, CustomStringConvertible {
    /// The model's schema.
    package let model: String

    package var description: String { "\(model) is being rebuilt by another process; try again when it is done" }
}
