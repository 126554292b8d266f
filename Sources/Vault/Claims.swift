package import Domain
package import FoundationEssentials
package import Postgres

/// Items of the queue that moderators have reserved for a while.
package struct Claims: Sendable {
    /// How long a claim holds: ten minutes, in seconds.
    package static let seconds = 600

    private let database: any PostgresQuerying

    /// Claims through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Claims items that no other moderator has claimed; of two moderators at once one gets an item.
    /// - Returns: those that the moderator now holds.
    package func claim(
        _ items: [(subject: String, id: UUID)], by moderator: AccountID, at now: Instant
    ) async throws(PostgresError) -> Set<UUID> {
        guard !items.isEmpty else { return [] }
        // In one order, so that two moderators never wait for each other.
        let sorted = items.sorted { ($0.subject, $0.id.uuidString) < ($1.subject, $1.id.uuidString) }
        let until = now.adding(seconds: Self.seconds)
        let result = try await database.query(
            """
            INSERT INTO vault.claims AS c (subject, id, moderator, until)
            SELECT i.subject, i.id, \(moderator.uuid), \(until.text())::text::timestamptz
              FROM unnest(\(sorted.map(\.subject)), \(sorted.map(\.id))) AS i (subject, id)
            ON CONFLICT (subject, id) DO UPDATE SET moderator = excluded.moderator, until = excluded.until
             WHERE c.moderator = excluded.moderator OR c.until <= \(now.text())::text::timestamptz
            RETURNING c.id
            """)
        var claimed: Set<UUID> = []
        for row in result.rows { claimed.insert(try row.decode("id")) }
        return claimed
    }

    /// Ends all claims of a moderator, and those of all that have run out.
    package func release(of moderator: AccountID, at now: Instant) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.claims
             WHERE moderator = \(moderator.uuid) OR until <= \(now.text())::text::timestamptz
            """)
    }

    /// Ends the claim on an item, after a decision.
    package func end(_ subject: String, _ id: UUID, of moderator: AccountID) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.claims
             WHERE subject = \(subject) AND id = \(id) AND moderator = \(moderator.uuid)
            """)
    }

    /// Whether another moderator has claimed an item.
    package func isClaimed(
        _ subject: String, _ id: UUID, byOthersThan moderator: AccountID, at now: Instant
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            SELECT EXISTS (SELECT FROM vault.claims
                            WHERE subject = \(subject) AND id = \(id) AND moderator <> \(moderator.uuid)
                              AND until > \(now.text())::text::timestamptz) AS claimed
            """
        ).onlyRow().decode("claimed")
    }
}
