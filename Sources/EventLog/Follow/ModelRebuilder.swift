package import Logging
package import Postgres

/// Rebuilds a read model beside the one in use, then swaps it in.
///
/// Readers and the follower use the old rows until the swap, which holds the checkpoint's lock, folds the events that
/// came meanwhile, and replaces schema and checkpoint in one transaction.
package struct ModelRebuilder: Sendable {
    private let pool: PostgresPool
    private let logger: Logger
    /// For one statement: a batch is folded by one.
    private static let deadline: Duration = .seconds(6 * 3_600)

    /// Rebuilds in a pool's database.
    package init(_ pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    /// - Parameter batch: positions folded in one transaction.
    /// - Returns: the position up to which the rebuilt model is folded.
    /// - Throws: `PostgresError`; ``RebuildUnderWay`` while another process rebuilds the model.
    package func rebuild(_ model: ReadModel, batch: Int64 = 1_000_000) async throws -> Int64 {
        try await pool.withExclusive { guardian in
            let key = "rebuild " + model.schema
            let isFree: Bool = try await guardian.query(
                "select pg_try_advisory_lock(hashtextextended(\(key), 0)) as free"
            ).onlyRow().decode("free")
            guard isFree else { throw RebuildUnderWay(model: model.schema) }
            do {
                let position = try await build(model, batch: batch)
                _ = try await guardian.query("select pg_advisory_unlock(hashtextextended(\(key), 0))")
                return position
            } catch {
                // A cancelled task runs no statement; the lock ends with the session.
                await guardian.close()
                throw error
            }
        }
    }

    private func build(_ model: ReadModel, batch: Int64) async throws -> Int64 {
        let aside = model.schema + "_rebuild"
        try await pool.transaction(within: Self.deadline) { connection in
            _ = try await connection.query("drop schema if exists \(identifier: aside) cascade")
            try await ModelInstaller.build(model, in: aside, connection)
        }
        var position: Int64 = 0
        while let next = try await fold(aside, after: position, batch: batch) {
            position = next
            logger.info("rebuilding", metadata: ["model": "\(model.schema)", "position": "\(position)"])
        }
        return try await swap(model, aside: aside, from: position)
    }

    /// Folds a batch into the schema aside; nil when less than a tenth of a batch is left for the swap.
    private func fold(_ schema: String, after position: Int64, batch: Int64) async throws -> Int64? {
        try await pool.transaction(within: Self.deadline) { connection in
            let head = try await LogOrigin.read(connection).position
            let upTo = min(position + batch, head)
            guard upTo - position > (position == 0 ? 0 : batch / 10) else { return nil }
            _ = try await connection.query("select model.expect_all(\(position), \(upTo))")
            _ = try await connection.query("select \(identifier: schema).fold(\(position), \(upTo))")
            return upTo
        }
    }

    private func swap(_ model: ReadModel, aside: String, from position: Int64) async throws -> Int64 {
        try await pool.transaction(within: Self.deadline) { connection in
            _ = try await connection.query(
                """
                select from model.checkpoints
                 where name = \(model.name) and version = \(Int32(clamping: model.version)) for update
                """)
            let head = try await LogOrigin.read(connection).position
            if head > position {
                _ = try await connection.query("select model.expect_all(\(position), \(head))")
                _ = try await connection.query("select \(identifier: aside).fold(\(position), \(head))")
            }
            _ = try await connection.query("drop schema \(identifier: model.schema) cascade")
            _ = try await connection.query("alter schema \(identifier: aside) rename to \(identifier: model.schema)")
            // Functions remember the schema they were made in; made again, they replace themselves.
            _ = try await connection.query("set local search_path = \(identifier: model.schema), pg_catalog, public")
            try await connection.executeScript(model.fold)
            _ = try await connection.query(
                """
                update model.checkpoints
                   set position = \(head), updated_at = log.clock(), epoch = (select epoch from log.head),
                       failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
                 where name = \(model.name) and version = \(Int32(clamping: model.version))
                """)
            return head
        }
    }
}

/// Another process is rebuilding the model: two would build in the same place.
package struct RebuildUnderWay: Error, Hashable, CustomStringConvertible {
    /// The model's schema.
    package let model: String

    package var description: String { "\(model) is being rebuilt by another process; try again when it is done" }
}
