package import Domain
package import FoundationEssentials

/// The caller, from a valid access token.
package struct Principal: Hashable, Sendable {
    package let accountID: AccountID
    /// The session: one a sign-in.
    package let sessionID: UUID
    /// What the account might do when the token was issued, at most a token's life ago.
    package let roles: Set<Role>

    /// Names who is asking.
    package init(accountID: AccountID, sessionID: UUID, roles: Set<Role>) {
        self.accountID = accountID
        self.sessionID = sessionID
        self.roles = roles
    }
}
