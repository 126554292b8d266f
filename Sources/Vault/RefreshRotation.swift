package import FoundationEssentials

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
    /// Something about the account: suspended, erased, another password.
    case account
}
