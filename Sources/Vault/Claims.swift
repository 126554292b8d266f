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
        // Sorted, so that two moderators cannot deadlock.
        let claimed = try await database.query(
            """
            WITH own AS (\(fragment: Self.held(by: moderator, at: now))),
                 items AS (
                SELECT i.*, o.id IS NOT NULL AS own,
                       row_number() OVER (PARTITION BY o.id IS NOT NULL ORDER BY i.place) AS number
                  FROM unnest(\(items.map(\.subject)), \(items.map(\.id)), \(items.map { $0.version }))
                       WITH ORDINALITY AS i (subject, id, version, place)
                  LEFT JOIN own o ON o.subject = i.subject AND o.id = i.id)
            INSERT INTO vault.claims AS c (subject, id, moderator, until, version)
            SELECT i.subject, i.id, \(moderator.uuid), \(until.text())::text::timestamptz, i.version
              FROM items i
             WHERE i.own OR i.number <= \(Self.most) - (SELECT count(*) FROM own)
             ORDER BY i.subject, i.id
            ON CONFLICT (subject, id) DO UPDATE
                   SET moderator = excluded.moderator, until = excluded.until, version = excluded.version,
                       decided = false
             WHERE c.until <= \(now.text())::text::timestamptz
                OR CASE WHEN c.decided THEN c.version <= excluded.version ELSE c.moderator = excluded.moderator END
            RETURNING c.id
            """)
        var ids: Set<UUID> = []
        for row in claimed.rows { ids.insert(try row.decode("id")) }
        return try await keepMost(of: moderator, among: ids, at: now)
    }

    /// Ends what a moderator holds beyond ``most``: requests at once do not see each other's claims. Whichever sees all
    /// of them ends the same ones.
    private func keepMost(
        of moderator: AccountID, among claimed: Set<UUID>, at now: Instant
    ) async throws(PostgresError) -> (held: Set<UUID>, isFull: Bool) {
        let result = try await database.query(
            """
            WITH held AS (
                SELECT h.*, row_number() OVER (ORDER BY h.until, h.subject, h.id) AS number
                  FROM (\(fragment: Self.held(by: moderator, at: now))) h
            ), ended AS (
                DELETE FROM vault.claims c USING held h
                 WHERE h.number > \(Self.most) AND c.subject = h.subject AND c.id = h.id
                   AND c.moderator = \(moderator.uuid) AND NOT c.decided
            )
            SELECT id FROM held WHERE number <= \(Self.most)
            """)
        var held: Set<UUID> = []
        for row in result.rows { held.insert(try row.decode("id")) }
        return (claimed.intersection(held), held.count >= Self.most)
    }

    private static func held(by moderator: AccountID, at now: Instant) -> SQL {
        """
        SELECT subject, id, until FROM vault.claims
         WHERE moderator = \(moderator.uuid) AND NOT decided AND until > \(now.text())::text::timestamptz
        """
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
