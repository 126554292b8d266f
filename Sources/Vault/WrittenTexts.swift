package import Domain
import FoundationEssentials
package import Postgres

/// The texts that accounts typed, in all streams, with former ones.
package struct WrittenTexts: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// The positions that may have texts of an account: after the first and up to the second; nil for an unknown
    /// account.
    package func range(of account: AccountID) async throws(PostgresError) -> (after: Int64, upTo: Int64)? {
        let result = try await database.query(
            """
            SELECT s.first_position - 1 AS after,
                   (SELECT e.position FROM log.events e ORDER BY e.position DESC LIMIT 1) AS up_to
              FROM log.streams s WHERE s.id = \(account.uuid)
            """)
        guard let row = result.first else { return nil }
        return (try row.decode("after"), try row.decode("up_to"))
    }

    /// The texts that an account typed with the events of some positions, the oldest first. It reads all of these
    /// events: there is no index by actor.
    package func texts(
        of account: AccountID, after: Int64, upTo: Int64
    ) async throws(PostgresError) -> [WrittenText] {
        let result = try await database.query(
            """
            WITH own AS MATERIALIZED (
                SELECT e.stream, e.position, e.recorded_at FROM log.events e
                 WHERE e.position > \(after) AND e.position <= \(upTo)
                   AND (e.actor = \(account.uuid) OR e.stream = \(account.uuid)))
            SELECT o.recorded_at, s.kind, c.field, c.value,
                   CASE WHEN o.stream = \(account.uuid) OR f.actor = \(account.uuid) THEN o.stream END AS id
              FROM own o
             CROSS JOIN LATERAL (SELECT c.field, c.value FROM vault.content c
                                  WHERE c.stream = o.stream AND c.position = o.position OFFSET 0) c
             CROSS JOIN LATERAL (SELECT s.kind, s.first_position FROM log.streams s WHERE s.id = o.stream OFFSET 0) s
             CROSS JOIN LATERAL (SELECT e.actor FROM log.events e WHERE e.position = s.first_position OFFSET 0) f
             WHERE c.field = ANY(\(Self.fields)) AND c.value <> ''
             ORDER BY o.position, c.field
            """)
        var texts: [WrittenText] = []
        for row in result.rows {
            texts.append(
                WrittenText(
                    recordedAt: Instant(try row.decode("recorded_at", as: Date.self)),
                    subject: try row.decode("kind"), id: try row.decode("id"), field: try row.decode("field"),
                    text: try row.decode("value")))
        }
        return texts
    }

    private static let fields = ContentField.allCases.filter(\.isTyped).map(\.rawValue)
}
