package import FoundationEssentials
package import Postgres

/// Sessions and their refresh tokens.
///
/// A token is good for one exchange. Presented again it ends the session, because one of two holders has stolen it.
/// Only the last one exchanged is honoured again for a while, as long as its successor has not been used: the answer
/// that carried the successor may have got lost. Any number of tasks and processes may present tokens of one session at
/// once; they take turns at the session's row.
package struct RefreshTokens: Sendable {
    /// How long tokens live.
    package struct Lifetimes: Hashable, Sendable {
        /// How long after its issue a token may be exchanged.
        package var token: Duration
        /// How long after its first exchange a token is honoured again.
        package var grace: Duration

        /// 30 days, and a minute.
        package init(token: Duration = .seconds(30 * 86_400), grace: Duration = .seconds(60)) {
            self.token = token
            self.grace = grace
        }
    }

    /// The most sessions that an account may have.
    package static let mostSessions = 100

    let database: any PostgresQuerying
    private let lifetimes: Lifetimes

    /// Keeps tokens through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying, lifetimes: Lifetimes = Lifetimes()) {
        self.database = database
        self.lifetimes = lifetimes
    }

    /// Starts a session and issues its first token. If the account has too many sessions, those that would expire first
    /// end.
    /// - Parameter device: what the client calls itself.
    package func issue(
        for session: SignedInSession, device: String? = nil, at now: Date
    ) async throws(PostgresError) -> RefreshToken {
        let token = RefreshToken()
        let expiry = now.adding(lifetimes.token)
        try await database.query(
            """
            WITH started AS (
                INSERT INTO vault.sessions (id, account, device, started_at, expires_at)
                VALUES (\(session.id), \(session.account), \(device), \(now), \(expiry))
                RETURNING id),
                 surplus AS (
                UPDATE vault.sessions SET ended_at = \(now), end_reason = \(SessionEndReason.account.rawValue)
                 WHERE id IN (
                    SELECT id FROM vault.sessions
                     WHERE account = \(session.account) AND ended_at IS NULL AND expires_at > \(now)
                     ORDER BY expires_at DESC, id OFFSET \(Int64(Self.mostSessions - 1))))
            INSERT INTO vault.refresh_tokens (digest, session, issued_at, expires_at)
            SELECT \(token.digest), id, \(now), \(expiry) FROM started
            """)
        return token
    }

    /// Exchanges a token for its successor.
    package func rotate(_ presented: RefreshToken, at now: Date) async throws(PostgresError) -> RefreshRotation {
        let successor = RefreshToken()
        let result = try await database.query(
            """
            SELECT outcome, session, account
              FROM vault.rotate_refresh_token(
                   \(presented.digest), \(successor.digest), \(now), \(now.adding(lifetimes.token)),
                   make_interval(secs => \(lifetimes.grace / .seconds(1))))
            """)
        guard let row = result.first else { throw PostgresError(.decoding, "rotate_refresh_token gave no row") }
        let outcome: String = try row.decode("outcome")
        guard let id: UUID = try row.decode("session"), let account: UUID = try row.decode("account") else {
            return .unknown
        }
        let session = SignedInSession(id: id, account: account)
        return switch outcome {
        case "rotated": .rotated(successor, of: session)
        case "expired": .expired(session)
        case "ended": .ended(session)
        case "reused": .reused(session)
        default: throw PostgresError(.decoding, "rotate_refresh_token gave an outcome that is not known")
        }
    }
}

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
    /// - Parameter kept: a session that goes on.
    /// - Returns: the sessions that this call has ended.
    @discardableResult
    package func endAll(
        of account: UUID, except kept: UUID? = nil, at now: Date
    ) async throws(PostgresError) -> [UUID] {
        let result = try await database.query(
            """
            UPDATE vault.sessions SET ended_at = \(now), end_reason = \(SessionEndReason.account.rawValue)
             WHERE account = \(account) AND ended_at IS NULL AND id IS DISTINCT FROM \(kept)
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

/// What became of a refresh token that was presented.
package enum RefreshRotation: Sendable {
    /// It was good: here is its successor.
    case rotated(RefreshToken, of: SignedInSession)
    /// It never was one, or was purged.
    case unknown
    /// It ran out.
    case expired(SignedInSession)
    /// Its session was ended before.
    case ended(SignedInSession)
    /// It had been exchanged before, which two holders would look like: its session is ended now.
    case reused(SignedInSession)
}

/// Which session of which account.
package struct SignedInSession: Hashable, Sendable {
    /// The session's id: one a sign-in, shared by all its tokens.
    package let id: UUID
    /// The account's id.
    package let account: UUID

    /// Names a session.
    package init(id: UUID, account: UUID) {
        self.id = id
        self.account = account
    }
}

/// Why a session ended.
package enum SessionEndReason: String, CaseIterable, Sendable {
    /// Its owner signed out.
    case signedOut = "signed-out"
    /// A refresh token came a second time.
    case reuse
    /// Something about the account: suspended, erased, another password, too many sessions.
    case account
}

extension Date {
    /// The moment so much later, or earlier when negative.
    package func adding(_ duration: Duration) -> Date {
        addingTimeInterval(duration / .seconds(1))
    }
}
