import Domain
import NIOConcurrencyHelpers
import Vault

/// Whether accounts have a verified address. Once an account has, this is cached; until then, each answer is read from
/// the log.
package final class VerifiedAccounts: Sendable {
    /// Most accounts cached; beyond that the cache is emptied.
    private static let capacity = 50_000

    private let store: StreamStore
    private let known = NIOLockedValueBox<Set<AccountID>>([])

    init(_ store: StreamStore) {
        self.store = store
    }

    func contains(_ account: AccountID) async throws -> Bool {
        if known.withLockedValue({ $0.contains(account) }) { return true }
        let stored: Stored<AccountState>? = try await store.load(account.uuid)
        guard stored?.state.isVerified == true else { return false }
        known.withLockedValue { known in
            if known.count >= Self.capacity { known = [] }
            known.insert(account)
        }
        return true
    }
}

/// Limits the sightings that an account submits in a day (UTC) before its address is verified.
package struct UnverifiedQuota: Sendable {
    /// As many as an unverified account may submit in a day.
    package struct Rejection: Error {}

    let accounts: VerifiedAccounts
    let quotas: DailyQuotas
    let perDay: Int
    let now: @Sendable () -> Instant

    /// What one submission takes from the quota, if anything.
    final class Use {
        private let quota: UnverifiedQuota?
        private let account: AccountID
        fileprivate var day: CivilDate?

        fileprivate init(_ quota: UnverifiedQuota?, _ account: AccountID) {
            (self.quota, self.account) = (quota, account)
        }

        /// - Throws: ``Rejection``.
        func take() async throws {
            guard let quota, day == nil, try await !quota.accounts.contains(account) else { return }
            let today = quota.now().date()
            guard try await quota.quotas.use(.sightings, of: account, on: today, atMost: quota.perDay) else {
                throw Rejection()
            }
            day = today
        }

        fileprivate func giveBack() async throws {
            guard let quota, let day else { return }
            try await quota.quotas.giveBack(.sightings, of: account, on: day)
        }
    }

    /// Runs a submission. If it fails, or was recorded before, it takes nothing.
    /// - Parameter quota: nil for no limit.
    static func counting<State>(
        _ quota: UnverifiedQuota?, _ account: AccountID, _ submit: (Use) async throws -> Outcome<State>
    ) async throws -> Outcome<State> {
        let use = Use(quota, account)
        do {
            let outcome = try await submit(use)
            if outcome.isRepeat { try await use.giveBack() }
            return outcome
        } catch {
            try await use.giveBack()
            throw error
        }
    }
}
