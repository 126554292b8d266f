package import Domain
import EventLog
package import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
package import Vault

/// Signing in, staying signed in, signing out.
package struct Sessions: Sendable {
    let accounts: any AccountLookup
    let passwords: PasswordHasher
    let refreshTokens: RefreshTokens
    let accessTokens: AccessTokens
    /// Counts wrong passwords by the e-mail address for which they are tried, whatever the client.
    let guesses: RequestQuota
    /// The clock by which refresh tokens are issued and expire.
    let now: @Sendable () -> Date

    /// Starts a session.
    ///
    /// For an unknown address, an invalid one and a wrong password the answer is the same and takes as long,
    /// because a password is always checked, if need be against a record that nothing matches.
    /// - Parameter device: what the client calls itself.
    /// - Throws: ``SessionRejection/wrongCredentials``; ``PasswordHasher/Failure/busy``; ``QuotaRejection``; what the
    ///   look-ups throw.
    package func signIn(email: String, password: String, device: String? = nil) async throws -> SessionTokens {
        let address = try? EmailAddress(email)
        return try await guesses.counting(
            SessionRejection.wrongCredentials, address.map { .login($0.comparable) }
        ) { try await session(email: email, password: password, device: device) }
    }

    private func session(email: String, password: String, device: String?) async throws -> SessionTokens {
        let held = try await record(for: email)
        let fits = try await passwords.check(password, against: held?.record)
        guard fits, let held, let standing = try await accounts.standing(of: AccountID(held.account)) else {
            throw SessionRejection.wrongCredentials
        }
        let session = SignedInSession(id: UUID(), account: held.account)
        let refreshToken = try await refreshTokens.issue(for: session, device: device, at: now())
        // The password may have changed while it was checked, after the other sessions were ended.
        guard try await record(for: email) == held else {
            try await end(session.id, reason: .account)
            throw SessionRejection.wrongCredentials
        }
        return try await tokens(of: session, standing, refreshToken: refreshToken)
    }

    /// Exchanges a refresh token for its successor and a new access token.
    ///
    /// A token that was exchanged before ends its session, except the last one within a minute of its exchange.
    /// - Throws: ``SessionRejection/refreshTokenRefused``; what the look-ups throw. After such a failure the same token
    ///   may be sent again at once.
    package func refresh(_ refreshToken: String) async throws -> SessionTokens {
        guard let presented = RefreshToken(presented: refreshToken) else {
            throw SessionRejection.refreshTokenRejected
        }
        switch try await refreshTokens.rotate(presented, at: now()) {
        case .rotated(let successor, of: let session):
            guard let standing = try await accounts.standing(of: AccountID(session.account)) else {
                try await end(session.id, reason: .account)
                throw SessionRejection.refreshTokenRejected
            }
            return try await tokens(of: session, standing, refreshToken: successor)
        case .reused(let session), .ended(let session):
            accessTokens.revoke([session.id])
            throw SessionRejection.refreshTokenRejected
        case .unknown, .expired:
            throw SessionRejection.refreshTokenRejected
        }
    }

    /// Ends the caller's session; its access tokens are rejected from then on. Idempotent.
    ///
    /// - Throws: what the database throws.
    package func end(_ principal: Principal) async throws {
        try await end(principal.sessionID, reason: .signedOut)
    }

    /// Ends all sessions of an account that was suspended, erased, or given another password.
    ///
    /// - Parameter kept: a session that goes on.
    /// - Throws: what the database throws.
    package func endAll(of account: AccountID, except kept: UUID? = nil) async throws {
        accessTokens.revoke(try await refreshTokens.endAll(of: account.uuid, except: kept, at: now()))
    }

    /// The sessions of an account that have not ended, the one used last first.
    /// - Throws: what the database throws.
    package func open(of account: AccountID) async throws -> [OpenSession] {
        try await refreshTokens.open(of: account.uuid, at: now())
    }

    /// Ends one session of an account.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func end(_ session: UUID, of account: AccountID) async throws {
        guard try await refreshTokens.end(session: session, of: account.uuid, reason: .signedOut, at: now()) else {
            throw CommandError.notFound
        }
        accessTokens.revoke([session])
    }

    private func record(for email: String) async throws -> PasswordRecord? {
        guard let address = try? EmailAddress(email) else { return nil }
        return try await accounts.passwordRecord(for: address)
    }

    private func end(_ session: UUID, reason: SessionEndReason) async throws {
        try await refreshTokens.end(session: session, reason: reason, at: now())
        accessTokens.revoke([session])
    }

    private func tokens(
        of session: SignedInSession, _ standing: AccountStanding, refreshToken: RefreshToken
    ) async throws -> SessionTokens {
        let account = AccountID(session.account)
        let access = try await accessTokens.issue(
            for: Principal(
                accountID: account, sessionID: session.id, roles: standing.roles,
                registeredAt: standing.registeredAt))
        return SessionTokens(
            accountID: account, sessionID: session.id, accessToken: access.text,
            refreshToken: refreshToken.secret, expiresIn: access.expiresIn)
    }
}

/// The tokens for a client that signed in or refreshed its session.
package struct SessionTokens: Sendable {
    package let accountID: AccountID
    package let sessionID: UUID
    /// Sent as `Authorization: Bearer …`.
    package let accessToken: String
    /// Exchanged when the access token has expired; valid once.
    package let refreshToken: String
    /// Seconds until the access token expires.
    package let expiresIn: Int

    /// The access token's type, `Bearer`.
    /// - Source: RFC 6750.
    package static let tokenType = "Bearer"
}

extension SessionTokens: CustomStringConvertible, CustomReflectable {
    /// The session's id; never a token.
    package var description: String { "SessionTokens(\(sessionID), redacted)" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a session was not started or refreshed.
package enum SessionRejection: Error, Hashable, Sendable {
    /// No account has this e-mail address and this password; which of the two is wrong is not disclosed.
    case wrongCredentials
    /// The refresh token is malformed, expired or used, or its session has ended; which is not disclosed.
    case refreshTokenRejected
}

/// The look-ups of accounts that signing in needs.
package protocol AccountLookup: Sendable {
    /// The account that holds an e-mail address, and its password record; nil if there is none.
    func passwordRecord(for address: EmailAddress) async throws -> PasswordRecord?

    /// The part of a token that describes an account; nil if the account no longer exists or may not be used.
    func standing(of account: AccountID) async throws -> AccountStanding?
}

/// The account's part of a token.
package struct AccountStanding: Hashable, Sendable {
    package let roles: Set<Role>
    /// Nil if it is not known.
    package var registeredAt: Date?
}

/// Looks accounts up in their streams and the vault. An account whose registration was redacted cannot sign
/// in.
package struct StoredAccounts: Sendable {
    let store: StreamStore
    let passwords: PasswordRecords
    var directory: AccountDirectory?
}

extension StoredAccounts: AccountLookup {
    package func passwordRecord(for address: EmailAddress) async throws -> PasswordRecord? {
        try await passwords.find(address)
    }

    package func standing(of account: AccountID) async throws -> AccountStanding? {
        let stored: Stored<AccountState>? = try await store.load(account.uuid)
        guard let stored, stored.state.registration != nil else { return nil }
        // A caller who logs in has the roles that were granted before.
        directory?.forget(account)
        return AccountStanding(roles: stored.state.roles, registeredAt: stored.createdAt)
    }
}

/// Periodic work for sessions in every process: load new signing keys and the sessions that other processes ended,
/// and delete what has expired.
package final class SessionUpkeep: Sendable {
    private struct State {
        /// Sessions that ended before are known.
        var endedKnownUntil: Date?
        var purgedAt: Date?
    }

    /// Clocks of two machines differ, and a session's end is seen only when it is committed.
    private static let overlap: Duration = .seconds(60)
    private static let purgePeriod: Duration = .seconds(3600)

    private let accessTokens: AccessTokens
    private let refreshTokens: RefreshTokens
    private let period: Duration
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = NIOLockedValueBox(State())

    /// - Parameter period: longest time for which this process still accepts a session that another one ended.
    package init(
        accessTokens: AccessTokens, refreshTokens: RefreshTokens, period: Duration = .seconds(5),
        logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.accessTokens = accessTokens
        self.refreshTokens = refreshTokens
        self.period = period
        self.logger = logger
        self.now = now
    }

    /// Repeats the work until the task is cancelled. A failure is logged and does not end it.
    package func run(clock: any Clock<Duration> = ContinuousClock()) async {
        await repeating(every: period, on: clock, else: "session upkeep failed", at: .warning, to: logger) {
            try await perform()
        }
    }

    /// Does the work once.
    ///
    /// - Throws: what the database throws; work done before the error is kept.
    package func perform() async throws {
        let now = now()
        try await accessTokens.refreshKeys()
        try await learnOfEndedSessions(at: now)
        try await purge(at: now)
    }

    private func learnOfEndedSessions(at now: Date) async throws {
        let known = state.withLockedValue { $0.endedKnownUntil }
        let since = known ?? now.adding(.zero - accessTokens.revocationSpan)
        accessTokens.revoke(try await refreshTokens.ended(since: since.adding(.zero - Self.overlap)))
        state.withLockedValue { $0.endedKnownUntil = now }
    }

    private func purge(at now: Date) async throws {
        let last = state.withLockedValue { $0.purgedAt }
        if let last, last.adding(Self.purgePeriod) > now { return }
        while try await refreshTokens.purge(at: now) > 0 { try Task.checkCancellation() }
        state.withLockedValue { $0.purgedAt = now }
    }
}
