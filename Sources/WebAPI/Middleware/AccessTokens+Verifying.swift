package import Service

extension AccessTokens: AccessTokenVerifying {
    /// Says who a token was given to.
    /// - Throws: ``AccessTokenRejected``; what the source of the keys throws.
    package func verify(_ token: String) async throws -> Principal {
        do {
            return try await principal(of: token)
        } catch let failure as AccessTokenFailure where failure != .noSigningKey {
            throw AccessTokenRejected()
        }
    }
}
