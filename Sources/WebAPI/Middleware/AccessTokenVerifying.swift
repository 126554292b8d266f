internal import HTTPTypes
package import Service

/// Verifies access tokens.
package protocol AccessTokenVerifying: Sendable {
    /// The principal of a token.
    /// - Throws: ``AccessTokenRejected`` for a token that is not valid; anything else is a failure of the service.
    func verify(_ token: String) async throws -> Principal
}

/// An access token that is malformed, not ours, expired or revoked. The reason is not disclosed.
package struct AccessTokenRejected: ProblemConvertible, Hashable {
    /// Rejects a token.
    package init() {}

    /// 401 with a challenge.
    package var problem: ProblemDetails {
        ProblemDetails(
            .unauthenticated,
            headers: [.wwwAuthenticate: ProblemDetails.bearerChallenge + ", error=\"invalid_token\""])
    }
}

extension ProblemDetails {
    /// The challenge of `WWW-Authenticate`.
    /// - Source: RFC 6750 section 3.
    static let bearerChallenge = "Bearer realm=\"skein\""
}
