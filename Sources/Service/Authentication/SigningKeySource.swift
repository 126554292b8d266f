package import FoundationEssentials
package import Vault

/// Where signing keys come from.
package protocol SigningKeySource: Sendable {
    /// The keys in force, newest first; a new one has been made when it was time.
    func current(at now: Date) async throws -> [SigningKey]
}

extension SigningKeys: SigningKeySource {}
