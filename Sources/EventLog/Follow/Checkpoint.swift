package import FoundationEssentials
package import Postgres

/// The progress of a read model, as stored in the database.
package struct Checkpoint: Sendable, Hashable {
    /// Why a model does not advance.
    package struct Failure: Sendable, Hashable {
        /// When it last failed.
        package let at: Date
        /// The five characters of PostgreSQL's SQLSTATE.
        package let sqlState: String
        /// PostgreSQL's message.
        package let message: String
        /// Failures since the position last moved.
        package let count: Int
    }

    package let name: String
    package let version: Int
    /// The last position folded into the model.
    package let position: Int64
    /// Why the model does not advance; nil while it does.
    package let failure: Failure?

    /// All models' checkpoints, by name and version.
    /// - Throws: `PostgresError`.
    package static func all(_ database: some PostgresQuerying) async throws(PostgresError) -> [Checkpoint] {
        let result = try await database.query(
            """
            select name, version, position, failed_at, failed_sqlstate, failed_message, failures
              from model.checkpoints order by name, version
            """)
        return try result.rows.map(Checkpoint.init(row:))
    }

    private init(row: PostgresRow) throws(PostgresError) {
        name = try row.decode("name")
        version = Int(try row.decode("version", as: Int32.self))
        position = try row.decode("position")
        guard let at: Date = try row.decode("failed_at") else {
            failure = nil
            return
        }
        failure = Failure(
            at: at, sqlState: try row.decode("failed_sqlstate", as: String?.self) ?? "",
            message: try row.decode("failed_message", as: String?.self) ?? "",
            count: Int(try row.decode("failures", as: Int32.self)))
    }

    /// Records that folding failed at a position; nothing if the model has moved since. Rows and position stay.
    static func fail(
        _ model: ReadModel, at position: Int64, _ error: PostgresError, _ database: some PostgresQuerying
    ) async throws(PostgresError) {
        _ = try await database.query(
            """
            update model.checkpoints
               set failed_at = log.clock(), failed_sqlstate = \(error.sqlState?.rawValue ?? ""),
                   failed_message = \(error.message), failures = failures + 1
             where \(fragment: model.isItsCheckpoint) and position = \(position)
            """)
    }
}

extension ReadModel {
    /// The condition on a row of `model.checkpoints` that makes it this model's.
    package var isItsCheckpoint: SQL {
        "name = \(name) and version = \(Int32(clamping: version))"
    }
}
