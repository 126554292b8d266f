package import Domain
internal import FoundationEssentials
internal import NIOConcurrencyHelpers

/// The defaults that a sighting takes from its observer's account.
package struct AccountDefaults: Sendable, Hashable {
    /// The pseudonym under which the observer's records are public.
    package let observer: ObserverID
    /// The licence of sightings that name none.
    package let licence: Licence
    /// The geoprivacy of sightings that name none.
    package let geoprivacy: Geoprivacy
}

/// A cache of accounts' defaults, so that a submission need not query the database for them.
package final class AccountDirectory: Sendable {
    /// Most accounts cached; beyond that the cache is emptied.
    private static let capacity = 50_000

    private let store: StreamStore
    private let known = NIOLockedValueBox<[AccountID: AccountDefaults]>([:])

    /// An empty cache; accounts are read from their streams.
    package init(_ store: StreamStore) {
        self.store = store
    }

    /// - Throws: ``CommandError/notFound`` for an account that does not exist; what the database throws.
    package func defaults(of account: AccountID) async throws -> AccountDefaults {
        if let defaults = known.withLockedValue({ $0[account] }) { return defaults }
        guard let stored: Stored<AccountState> = try await store.load(account.uuid),
            let registration = stored.state.registration
        else { throw CommandError.notFound }
        let defaults = AccountDefaults(
            observer: registration.observer, licence: registration.licence, geoprivacy: registration.geoprivacy)
        known.withLockedValue { known in
            if known.count >= Self.capacity { known = [:] }
            known[account] = defaults
        }
        return defaults
    }
}
