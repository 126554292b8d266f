package import Domain
package import FoundationEssentials

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
