package import FoundationEssentials
package import Postgres

/// A process that serves.
package struct ListedProcess: Sendable, Hashable {
    /// Host and number.
    package let name: String
    package let startedAt: Date
    package let seenAt: Date
    /// Schemas of the read models that it follows.
    package let models: [String]

    /// All that have been seen within the last hour, the oldest first.
    /// - Throws: `PostgresError`.
    package static func all(_ database: some PostgresQuerying) async throws(PostgresError) -> [ListedProcess] {
        let result = try await database.query(
            """
            select name, started_at, seen_at, models from model.processes
             where seen_at > log.clock() - interval '1 hour' order by started_at, id
            """)
        return try result.rows.map(ListedProcess.init(row:))
    }

    private init(row: PostgresRow) throws(PostgresError) {
        name = try row.decode("name")
        startedAt = try row.decode("started_at")
        seenAt = try row.decode("seen_at")
        models = try row.decode("models")
    }
}
