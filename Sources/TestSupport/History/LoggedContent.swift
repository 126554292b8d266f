package import FoundationEssentials
package import Postgres

/// A row of `vault.content`.
package struct LoggedContent: Sendable, Hashable {
    package var stream: UUID
    package var field: String
    /// The position of the event it was written with.
    package var position: Int64
    /// nil: cleared.
    package var value: String?

    package init(stream: UUID, field: String, position: Int64, value: String?) {
        self.stream = stream
        self.field = field
        self.position = position
        self.value = value
    }

    /// All rows.
    /// - Throws: `PostgresError`.
    package static func all(_ database: some PostgresQuerying) async throws -> [LoggedContent] {
        try await database.query("select stream, field, position, value from vault.content").rows.map { row in
            LoggedContent(
                stream: try row.decode("stream"), field: try row.decode("field"),
                position: try row.decode("position"), value: try row.decode("value"))
        }
    }
}
