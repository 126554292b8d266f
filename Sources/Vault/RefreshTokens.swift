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

    let database: any PostgresQuerying
    private let lifetimes: Lifetimes

    /// Keeps tokens through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying, lifetimes: Lifetimes = Lifetimes()) {
        self.database = database
        self.lifetimes = lifetimes
    }

    /// Starts a session and issues its first token.
    package func issue(for session: SignedInSession, at now: Date) async throws(PostgresError) -> RefreshToken {
        let token = RefreshToken()
        let expiry = now.adding(lifetimes.token)
        try await database.query(
            """
            WITH started AS (
                INSERT INTO vault.sessions (id, account, started_at, expires_at)
                VALUES (\(session.id), \(session.account), \(now), \(expiry))
                RETURNING id)
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
                   make_interval(secs => \(lifetimes.grace.inSeconds)))
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
