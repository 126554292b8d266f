package import Domain
package import Vault

/// What signing in asks about accounts.
package protocol AccountLookup: Sendable {
    /// The account that holds an e-mail address, and the record of its password; nil when there is none.
    func passwordRecord(for email: Reservation) async throws -> PasswordRecord?

    /// What an account may do now; nil when it is no more, or may not be used.
    func roles(of account: AccountID) async throws -> Set<Role>?
}
