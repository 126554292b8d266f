package import Domain
package import FoundationEssentials
package import Postgres

extension RefreshTokens {
    /// The sessions of an account that have not ended, the one used last first.
    package func open(of account: UUID, at now: Date) async throws(PostgresError) -> [OpenSession] {
        let result = try await database.query(
            """
            SELECT s.id, s.device, s.started_at, s.expires_at, u.used_at
              FROM vault.sessions s
             CROSS JOIN LATERAL (
                SELECT coalesce(max(t.issued_at), s.started_at) AS used_at
                  FROM vault.refresh_tokens t WHERE t.session = s.id) u
             WHERE s.account = \(account) AND s.ended_at IS NULL AND s.expires_at > \(now)
             ORDER BY u.used_at DESC, s.id
            """)
        var sessions: [OpenSession] = []
        for row in result.rows {
            sessions.append(
                OpenSession(
                    id: try row.decode("id"), device: try row.decode("device"),
                    startedAt: Instant(try row.decode("started_at", as: Date.self)),
                    usedAt: Instant(try row.decode("used_at", as: Date.self)),
                    expiresAt: Instant(try row.decode("expires_at", as: Date.self))))
        }
        return sessions
    }

    /// Ends one session of an account.
    /// - Returns: false if the account has no such session that is open.
    package func end(
        session: UUID, of account: UUID, reason: SessionEndReason, at now: Date
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            UPDATE vault.sessions SET ended_at = \(now), end_reason = \(reason.rawValue)
             WHERE id = \(session) AND account = \(account) AND ended_at IS NULL AND expires_at > \(now)
            """
        ).affectedCount > 0
    }
}
