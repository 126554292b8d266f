package import Service

extension AccessTokens: AccessTokenVerifying {
    /// The principal of a token.
    /// - Throws: ``AccessTokenRejected``; what the source of the keys throws.
    package func verify(_ token: String) async throws -> Principal {
        do {
            return try await principal(of: token)
        } catch let failure as AccessTokenFailure where failure != .noSigningKey {
            throw AccessTokenRejected()
        }
    }
}
