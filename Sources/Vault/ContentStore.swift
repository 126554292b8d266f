package import Domain
package import FoundationEssentials
package import Postgres

/// Reads what people typed, which is kept beside the log so that it can be erased.
///
/// It is written by the append, in the transaction of its event, and never updated: every version stays until it is
/// erased with all others of its stream. As of a position, the newest version at or below it counts.
package struct ContentStore: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// The content of one stream as of a position; without one, the newest.
    package func content(
        of stream: UUID, asOf position: Int64 = .max
    ) async throws(PostgresError) -> StreamContent {
        try await content(of: [stream], asOf: position)[stream] ?? StreamContent()
    }

    /// The content of many streams at once, as of one position; without one, the newest.
    ///
    /// - Parameter fields: the fields wanted; nil: all.
    /// - Returns: the streams that have any of it.
    package func content(
        of streams: [UUID], fields: [ContentField]? = nil, asOf position: Int64 = .max
    ) async throws(PostgresError) -> [UUID: StreamContent] {
        guard !streams.isEmpty else { return [:] }
        // Looked up stream by stream, whatever the statistics say.
        let wanted: SQL = if let fields { "WHERE c.field = ANY(\(fields.map(\.rawValue)))" } else { "" }
        let result = try await database.query(
            """
            SELECT DISTINCT ON (c.stream, c.field) c.field, c.position, c.value, c.stream
              FROM (SELECT DISTINCT unnest(\(streams)) AS id) q
             CROSS JOIN LATERAL (
                SELECT c.* FROM vault.content c WHERE c.stream = q.id AND c.position <= \(position) OFFSET 0) c
             \(fragment: wanted)
             ORDER BY c.stream, c.field, c.position DESC
            """)
        var contents: [UUID: StreamContent] = [:]
        for row in result.rows {
            guard let version = try Self.version(row) else { continue }
            contents[try row.decode("stream"), default: StreamContent()].add(version)
        }
        return contents
    }

    /// The newest text of a field as a column of another statement; NULL where it was never written, or was cleared.
    ///
    /// - Parameter stream: an expression for the stream's id.
    package static func newest(_ field: ContentField, of stream: SQL, asOf position: Int64 = .max) -> SQL {
        """
        (SELECT c.value FROM vault.content c
          WHERE c.stream = \(fragment: stream) AND c.field = \(field.rawValue) AND c.position <= \(position)
          ORDER BY c.position DESC LIMIT 1)
        """
    }

    /// Every version of a stream's fields up to a position, in the order in which they were written.
    package func versions(
        of stream: UUID, upTo position: Int64 = .max
    ) async throws(PostgresError) -> [ContentVersion] {
        let result = try await database.query(
            """
            SELECT field, position, value
              FROM vault.content
             WHERE stream = \(stream) AND position <= \(position)
             ORDER BY position, field COLLATE "C"
            """)
        var versions: [ContentVersion] = []
        versions.reserveCapacity(result.count)
        for row in result.rows {
            if let version = try Self.version(row) { versions.append(version) }
        }
        return versions
    }

    /// Every version of one field of many streams, in the order in which they were written.
    package func versions(
        of field: ContentField, in streams: [UUID]
    ) async throws(PostgresError) -> [UUID: [ContentVersion]] {
        guard !streams.isEmpty else { return [:] }
        // Looked up stream by stream, whatever the statistics say.
        let result = try await database.query(
            """
            SELECT c.stream, c.field, c.position, c.value
              FROM (SELECT DISTINCT unnest(\(streams)) AS id) q
             CROSS JOIN LATERAL (SELECT c.* FROM vault.content c WHERE c.stream = q.id OFFSET 0) c
             WHERE c.field = \(field.rawValue)
             ORDER BY c.position
            """)
        var versions: [UUID: [ContentVersion]] = [:]
        for row in result.rows {
            guard let version = try Self.version(row) else { continue }
            versions[try row.decode("stream"), default: []].append(version)
        }
        return versions
    }

    /// Nil for a field that a newer version of the service has written and this one does not know.
    private static func version(_ row: PostgresRow) throws(PostgresError) -> ContentVersion? {
        guard let field = ContentField(rawValue: try row.decode("field")) else { return nil }
        return ContentVersion(field: field, position: try row.decode("position"), value: try row.decode("value"))
    }
}

/// What one event wrote to one field of its stream.
package struct ContentVersion: Hashable, Sendable {
    package let field: ContentField
    /// Position of the event that wrote it.
    package let position: Int64
    /// What was typed; nil: cleared by its author.
    package let value: String?
}

/// What was typed into one stream, as of a position: of each field its newest version at or below it.
package struct StreamContent: Hashable, Sendable {
    /// The version that counts, by field. A field that was cleared is here with a nil value; one never written, or
    /// erased, is not.
    package private(set) var versions: [ContentField: ContentVersion] = [:]

    /// A stream into which nothing was typed.
    package init() {}

    /// The text of a field; nil when it was never written, was cleared, or was erased.
    package subscript(field: ContentField) -> String? {
        versions[field]?.value
    }

    /// Takes a version in, unless a newer one of its field is there.
    package mutating func add(_ version: ContentVersion) {
        if let known = versions[version.field], known.position >= version.position { return }
        versions[version.field] = version
    }
}
