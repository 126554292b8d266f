package import Domain
package import FoundationEssentials
import NIOConcurrencyHelpers
import Vault

/// The part of a caller's rights that an API key gives.
package struct KeyGrant: Hashable, Sendable {
    package let id: UUID
    package let scopes: Set<KeyScope>
}

/// API keys: making, listing and deleting them, and checking those that scripts send.
///
/// A key is cached for some seconds after it was checked. So every process rejects a deleted key, and learns of changed
/// roles, within that time.
package final class AccountKeys: Sendable {
    /// Why a key was not made.
    package enum Rejection: Error, Hashable, Sendable {
        /// The account has as many as it may have.
        case tooMany
        /// The account lacks the role that a scope is for.
        case role(Role)
    }

    /// A key that has just been made, with its text, which is not shown again.
    package struct New: Sendable {
        package let key: ApiKey
        /// The bearer token.
        package let text: String
    }

    private struct Checked {
        let principal: Principal
        let until: Date
    }

    /// How long a checked key is cached.
    private static let memory: Duration = .seconds(4)
    /// Most keys cached; beyond that the cache is emptied.
    private static let capacity = 10_000

    private let keys: ApiKeys
    private let accounts: any AccountLookup
    private let now: @Sendable () -> Date
    private let checked = NIOLockedValueBox<[[UInt8]: Checked]>([:])

    init(keys: ApiKeys, accounts: any AccountLookup, now: @escaping @Sendable () -> Date) {
        (self.keys, self.accounts, self.now) = (keys, accounts, now)
    }

    /// All faults of the time at which a key is to expire.
    package func faults(expires: Instant?) -> Faults {
        var faults = Faults()
        if let expires, expires.date <= now() { faults.add("/expires", RuleViolation(.range, "must be in the future")) }
        return faults
    }

    /// Makes a key.
    /// - Throws: `Faults`, ``Rejection``.
    package func create(
        name: KeyName, scopes: Set<KeyScope>, expires: Instant?, by principal: Principal
    ) async throws -> New {
        try faults(expires: expires).throwIfAny()
        if scopes.contains(.research), principal.roles.isDisjoint(with: [.researcher, .admin]) {
            throw Rejection.role(.researcher)
        }
        let key = ApiKey(
            id: UUID(), account: principal.accountID, name: name.text, scopes: scopes, createdAt: Instant(now()),
            expiresAt: expires)
        let secret = ApiKeySecret()
        guard try await keys.add(key, secret) else { throw Rejection.tooMany }
        return New(key: key, text: secret.text)
    }

    /// The keys of an account, the newest first.
    package func keys(of account: AccountID) async throws -> [ApiKey] {
        try await keys.keys(of: account)
    }

    /// Deletes a key. Other processes accept it for some seconds more.
    /// - Throws: ``CommandError/notFound``.
    package func delete(_ id: UUID, of account: AccountID) async throws {
        guard try await keys.delete(id, of: account) else { throw CommandError.notFound }
        checked.withLockedValue { $0 = $0.filter { $0.value.principal.key?.id != id } }
    }

    /// Whether a bearer token is to be read as a key.
    package static func isKey(_ token: String) -> Bool { token.hasPrefix(ApiKeySecret.prefix) }

    /// The caller that a key stands for; nil if it is unknown, deleted or expired, or its account may not be used.
    package func principal(of token: String) async throws -> Principal? {
        guard let secret = ApiKeySecret(presented: token) else { return nil }
        let (now, digest) = (now(), secret.digest)
        if let known = checked.withLockedValue({ $0[digest] }), known.until > now { return known.principal }
        guard let key = try await keys.use(secret, at: now), key.expiresAt.map({ $0.date > now }) ?? true,
            let standing = try await accounts.standing(of: key.account)
        else { return nil }
        var principal = Principal(
            accountID: key.account, sessionID: key.id, roles: standing.roles, registeredAt: standing.registeredAt)
        principal.key = KeyGrant(id: key.id, scopes: key.scopes)
        let until = min(now.adding(Self.memory), key.expiresAt?.date ?? .distantFuture)
        remember(Checked(principal: principal, until: until), as: digest)
        return principal
    }

    private func remember(_ caller: Checked, as digest: [UInt8]) {
        checked.withLockedValue { checked in
            if checked.count >= Self.capacity { checked = [:] }
            checked[digest] = caller
        }
    }
}
