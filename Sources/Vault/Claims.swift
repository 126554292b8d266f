package import Domain
package import FoundationEssentials
package import Postgres

/// Items of the queue that moderators have reserved for a while, and those that they have just decided.
package struct Claims: Sendable {
    /// How long a claim holds: ten minutes, in seconds.
    package static let seconds = 600
    /// Items that one moderator holds at a time, whatever the filters of the requests were.
    package static let most = 100

    /// An item of the queue, at the version that its reader has seen.
    package struct Item: Sendable {
        let subject: String
        let id: UUID
        let version: Int

        package init(subject: String, id: UUID, version: Int) {
            (self.subject, self.id, self.version) = (subject, id, version)
        }
    }

    private let database: any PostgresQuerying

    /// Claims through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Claims items that no other moderator has claimed, or has decided since the reader saw them; of two moderators at
    /// once one gets an item, and a moderator holds ``most``.
    /// - Parameter items: those that wait longest come first.
    /// - Returns: those that the moderator now holds; and whether the moderator may hold no more.
    package func claim(
        _ items: [Item], by moderator: AccountID, at now: Instant
    ) async throws(PostgresError) -> (held: Set<UUID>, isFull: Bool) {
        guard !items.isEmpty else { return ([], false) }
        let until = now.adding(seconds: Self.seconds)
        let row = try await database.query(
            """
            SELECT held, is_full FROM vault.claim_items(
                \(items.map(\.subject)), \(items.map(\.id)), \(items.map { Int64($0.version) }), \(moderator.uuid),
                \(now.text())::text::timestamptz, \(until.text())::text::timestamptz, \(Int64(Self.most)))
            """
        ).onlyRow()
        return (Set(try row.decode("held", as: [UUID].self)), try row.decode("is_full"))
    }

    /// Ends all claims of a moderator, and all rows that have run out, except those that others are locking.
    package func release(of moderator: AccountID, at now: Instant) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.claims
             WHERE (subject, id) IN (
                   SELECT c.subject, c.id FROM vault.claims c
                    WHERE c.moderator = \(moderator.uuid) AND NOT c.decided
                       OR c.until <= \(now.text())::text::timestamptz
                      FOR UPDATE SKIP LOCKED)
            """)
    }

    /// Ends the claim on an item, after a decision. Until the read model has the decision, the row keeps the item out
    /// of the queues of all moderators.
    /// - Parameter item: at the version that the decision made.
    package func decided(
        _ item: Item, by moderator: AccountID, at now: Instant
    ) async throws(PostgresError) {
        try await database.query(
            """
            INSERT INTO vault.claims AS c (subject, id, moderator, until, version, decided)
            VALUES (\(item.subject), \(item.id), \(moderator.uuid),
                    \(now.adding(seconds: Self.seconds).text())::text::timestamptz, \(item.version), true)
            ON CONFLICT (subject, id) DO UPDATE
                   SET moderator = excluded.moderator, until = excluded.until, version = excluded.version,
                       decided = true
             WHERE c.version < excluded.version OR c.moderator = excluded.moderator
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
                              AND NOT decided AND until > \(now.text())::text::timestamptz) AS claimed
            """
        ).onlyRow().decode("claimed")
    }
}
