import Domain

/// Knows callers by their access tokens and API keys, and what their accounts may do now, whatever the token says.
package struct Callers: Sendable {
    let tokens: AccessTokens
    let keys: AccountKeys
    let directory: AccountDirectory
    /// The clock by which suspensions end.
    let now: @Sendable () -> Instant

    /// The principal of a token, with the present rights of its account.
    /// - Throws: ``AccessTokenRejection``; what the source of the keys, or the look-up of the account, throws.
    package func principal(of token: String) async throws -> Principal {
        var principal = try await holder(of: token)
        do {
            let status = try await directory.status(of: principal.accountID)
            principal.roles = status.roles
            principal.isSuspended = status.suspension?.holds(at: now()) ?? false
        } catch CommandError.notFound {
            throw AccessTokenRejection.revoked
        }
        return principal
    }

    private func holder(of token: String) async throws -> Principal {
        guard AccountKeys.isKey(token) else { return try await tokens.principal(of: token) }
        guard let principal = try await keys.principal(of: token) else { throw AccessTokenRejection.revoked }
        return principal
    }
}
