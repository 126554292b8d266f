package import Domain
package import Vault

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
