package import FoundationEssentials
package import Postgres

extension RefreshTokens {
    /// Ends one session: none of its tokens is accepted any more.
    ///
    /// - Returns: false when there is no such session or it had ended before.
    @discardableResult
    package func end(
        session: UUID, reason: SessionEndReason, at now: Date
    ) async throws(PostgresError) -> Bool {
        let result = try await database.query(
            """
            UPDATE vault.sessions SET ended_at = \(now), end_reason = \(reason.rawValue)
             WHERE id = \(session) AND ended_at IS NULL
            """)
        return result.affectedCount > 0
    }

    /// Ends all sessions of an account.
    ///
    /// - Returns: the sessions that this call has ended.
    @discardableResult
    package func endAll(of account: UUID, at now: Date) async throws(PostgresError) -> [UUID] {
        let result = try await database.query(
            """
            UPDATE vault.sessions SET ended_at = \(now), end_reason = \(SessionEndReason.account.rawValue)
             WHERE account = \(account) AND ended_at IS NULL
            RETURNING id
            """)
        return try Self.ids(result)
    }

    /// The sessions ended at or after a moment, by whatever process: their access tokens must not be accepted.
    package func ended(since moment: Date) async throws(PostgresError) -> [UUID] {
        try Self.ids(
            try await database.query("SELECT id FROM vault.sessions WHERE ended_at >= \(moment)"))
    }

    /// Forgets tokens and sessions that ran out, and sessions that ended more than a day ago.
    ///
    /// Tokens and sessions go in statements of their own, each locking rows in the order in which an exchange does, so
    /// that neither waits for the other in a circle.
    /// - Parameter limit: how many of each are forgotten at most, so that no transaction is long.
    /// - Returns: how many tokens and sessions are gone; zero: there is nothing left to purge.
    @discardableResult
    package func purge(at now: Date, limit: Int = 10_000) async throws(PostgresError) -> Int {
        let tokens = try await database.query(
            """
            DELETE FROM vault.refresh_tokens WHERE digest IN (
                SELECT digest FROM vault.refresh_tokens WHERE expires_at <= \(now)
                 LIMIT \(Int64(limit)) FOR UPDATE SKIP LOCKED)
            """)
        let sessions = try await database.query(
            """
            DELETE FROM vault.sessions WHERE id IN (
                SELECT id FROM vault.sessions
                 WHERE expires_at <= \(now) OR ended_at <= \(now.adding(.seconds(-86_400)))
                 LIMIT \(Int64(limit)) FOR UPDATE SKIP LOCKED)
            """)
        return tokens.affectedCount + sessions.affectedCount
    }

    private static func ids(_ result: PostgresResult) throws(PostgresError) -> [UUID] {
        var ids: [UUID] = []
        ids.reserveCapacity(result.count)
        for row in result.rows { ids.append(try row.decode("id")) }
        return ids
    }
}
