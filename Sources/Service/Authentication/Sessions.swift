package import Domain
package import FoundationEssentials
package import Vault

/// Signing in, staying signed in, signing out.
package struct Sessions: Sendable {
    private let accounts: any AccountLookup
    private let passwords: PasswordHasher
    private let refreshTokens: RefreshTokens
    private let accessTokens: AccessTokens
    private let now: @Sendable () -> Date

    /// - Parameter now: the time, by which refresh tokens are issued and run out.
    package init(
        accounts: any AccountLookup, passwords: PasswordHasher, refreshTokens: RefreshTokens,
        accessTokens: AccessTokens, now: @escaping @Sendable () -> Date
    ) {
        self.accounts = accounts
        self.passwords = passwords
        self.refreshTokens = refreshTokens
        self.accessTokens = accessTokens
        self.now = now
    }

    /// Starts a session.
    ///
    /// Whether an address is unknown, is no address, or has another password: the answer is the same and takes as long,
    /// because a password is always checked, if need be against a record that nothing fits.
    /// - Throws: ``SessionRejection/wrongCredentials``; ``PasswordHasher/Failure/busy``; what the look-ups throw.
    package func signIn(email: String, password: String) async throws -> SessionTokens {
        let held = try await record(for: email)
        let fits = try await passwords.check(password, against: held?.record)
        guard fits, let held, let roles = try await accounts.roles(of: AccountID(held.account)) else {
            throw SessionRejection.wrongCredentials
        }
        let session = SignedInSession(id: UUID(), account: held.account)
        let refreshToken = try await refreshTokens.issue(for: session, at: now())
        return try await tokens(of: session, roles: roles, refreshToken: refreshToken)
    }

    /// Exchanges a refresh token for its successor and a new access token.
    ///
    /// A token that has been exchanged before ends its session, save for the last one in its first minute.
    /// - Throws: ``SessionRejection/refreshTokenRefused``; what the look-ups throw. After such a failure the same token
    ///   may be sent again at once.
    package func refresh(_ refreshToken: String) async throws -> SessionTokens {
        guard let presented = RefreshToken(presented: refreshToken) else {
            throw SessionRejection.refreshTokenRefused
        }
        switch try await refreshTokens.rotate(presented, at: now()) {
        case .rotated(let successor, of: let session):
            guard let roles = try await accounts.roles(of: AccountID(session.account)) else {
                try await end(session.id, reason: .account)
                throw SessionRejection.refreshTokenRefused
            }
            return try await tokens(of: session, roles: roles, refreshToken: successor)
        case .reused(let session), .ended(let session):
            accessTokens.revoke([session.id])
            throw SessionRejection.refreshTokenRefused
        case .unknown, .expired:
            throw SessionRejection.refreshTokenRefused
        }
    }

    /// Ends the session that asks for it; its access tokens are rejected from then on. Ending it twice does no harm.
    ///
    /// - Throws: what the database throws.
    package func end(_ principal: Principal) async throws {
        try await end(principal.sessionID, reason: .signedOut)
    }

    /// Ends all sessions of an account: it was suspended or erased, or has another password.
    ///
    /// - Throws: what the database throws.
    package func endAll(of account: AccountID) async throws {
        accessTokens.revoke(try await refreshTokens.endAll(of: account.uuid, at: now()))
    }

    private func record(for email: String) async throws -> PasswordRecord? {
        guard let address = try? EmailAddress(email) else { return nil }
        return try await accounts.passwordRecord(for: .email(address))
    }

    private func end(_ session: UUID, reason: SessionEndReason) async throws {
        try await refreshTokens.end(session: session, reason: reason, at: now())
        accessTokens.revoke([session])
    }

    private func tokens(
        of session: SignedInSession, roles: Set<Role>, refreshToken: RefreshToken
    ) async throws -> SessionTokens {
        let account = AccountID(session.account)
        let access = try await accessTokens.issue(
            for: Principal(accountID: account, sessionID: session.id, roles: roles))
        return SessionTokens(
            accountID: account, sessionID: session.id, accessToken: access.text,
            refreshToken: refreshToken.secret, expiresIn: access.expiresIn)
    }
}

/// The tokens for a client that has signed in or refreshed its session.
package struct SessionTokens: Sendable {
    package let accountID: AccountID
    /// The session.
    package let sessionID: UUID
    /// What to send as `Authorization: Bearer …`.
    package let accessToken: String
    /// What to exchange when the access token has run out; good once.
    package let refreshToken: String
    /// Seconds until the access token runs out.
    package let expiresIn: Int

    /// How the access token is to be sent.
    /// - Source: RFC 6750.
    package static let tokenType = "Bearer"
}

extension SessionTokens: CustomStringConvertible, CustomReflectable {
    /// Names the session; never a token.
    package var description: String { "SessionTokens(\(sessionID), redacted)" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why there is no session.
package enum SessionRejection: Error, Hashable, Sendable {
    /// No account has this e-mail address and this password; which of the two is wrong is not told.
    case wrongCredentials
    /// The refresh token is not one, ran out, was exchanged before, or its session has ended; which is not told.
    case refreshTokenRefused
}

/// What signing in asks about accounts.
package protocol AccountLookup: Sendable {
    /// The account that holds an e-mail address, and the record of its password; nil when there is none.
    func passwordRecord(for email: Reservation) async throws -> PasswordRecord?

    /// The roles of an account; nil when it no longer exists, or may not be used.
    func roles(of account: AccountID) async throws -> Set<Role>?
}

/// Accounts as their streams and the vault have them. One without a registration, because it was redacted, cannot sign
/// in.
package struct StoredAccounts: Sendable {
    private let store: StreamStore
    private let passwords: PasswordRecords

    package init(store: StreamStore, passwords: PasswordRecords) {
        self.store = store
        self.passwords = passwords
    }
}

extension StoredAccounts: AccountLookup {
    package func passwordRecord(for email: Reservation) async throws -> PasswordRecord? {
        try await passwords.find(email)
    }

    package func roles(of account: AccountID) async throws -> Set<Role>? {
        let stored: Stored<AccountState>? = try await store.load(account.uuid)
        return stored.flatMap { $0.state.registration == nil ? nil : $0.state.roles }
    }
}
