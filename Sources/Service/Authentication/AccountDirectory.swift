package import Domain
import EventLog
import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
package import ReadModels

/// The rights of an account, and the defaults of its sightings, as requests need them.
package struct AccountStatus: Sendable, Hashable {
    /// The pseudonym under which the observer's records are public.
    package let observer: ObserverID
    /// The licence of sightings that name none.
    package let licence: Licence
    /// The geoprivacy of sightings that name none.
    package let geoprivacy: Geoprivacy
    /// The region whose targets it gets; nil: none.
    package let region: RegionCode?
    /// The roles that it has.
    package let roles: Set<Role>
    /// The newest suspension; it may have ended.
    package let suspension: Suspension?
}

extension AccountStatus {
    /// Nil for a state without an account, or one whose registration was redacted.
    init?(_ state: AccountState) {
        guard let observer = state.registration?.observer, let settings = state.settings else { return nil }
        self.init(
            observer: observer, licence: settings.licence, geoprivacy: settings.geoprivacy, region: settings.region,
            roles: state.roles, suspension: state.suspension)
    }
}

/// The present status of accounts, without a query for each request.
///
/// A status is read from the account's stream and cached. Every second, the accounts that the read model has seen
/// change are forgotten, so a change holds in every process within ``tolerance`` of being recorded. While this process
/// does not know of all changes up to then, because the model is behind or cannot be read, nothing cached is used:
/// every request reads the stream.
package final class AccountDirectory: Sendable {
    /// The source of the changes.
    package protocol Source: Sendable {
        /// - Parameter position: nil for no accounts.
        func changes(after position: Int64?) async throws -> AccountChanges
    }

    /// The oldest status that is used.
    package static let tolerance: Duration = .seconds(3)
    /// Most accounts cached; beyond that the cache is emptied.
    private static let capacity = 50_000
    /// Most heads remembered that the read model has not reached.
    private static let mostMarks = 600

    /// A head of the log, and a moment at which it was not lower.
    fileprivate struct Mark {
        let head: Int64
        let moment: ContinuousClock.Instant
    }

    fileprivate struct State {
        var statuses: [AccountID: AccountStatus] = [:]
        /// Grows whenever something is forgotten: what was read before is not cached then.
        var generation = 0
        /// Changes up to this position are known; nil before the first refresh.
        var position: Int64?
        /// Changes recorded before this moment are known.
        var knownUntil: ContinuousClock.Instant?
        var marks: [Mark] = []
    }

    private let store: StreamStore
    private let source: any Source
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = NIOLockedValueBox(State())

    /// An empty directory.
    package init(
        _ store: StreamStore, _ source: any Source, logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.store, self.source, self.logger, self.now) = (store, source, logger, now)
    }

    /// An account's present status.
    /// - Parameter position: what the status reflects at least.
    /// - Throws: ``CommandError/notFound`` for an account that does not exist, or whose registration was redacted; what
    ///   the database throws.
    package func status(of account: AccountID, seeing position: Int64 = 0) async throws -> AccountStatus {
        let earliest = now() - Self.tolerance
        let (known, generation) = state.withLockedValue { state -> (AccountStatus?, Int) in
            let isCurrent = state.position ?? 0 >= position && state.knownUntil.map { $0 >= earliest } ?? false
            return (isCurrent ? state.statuses[account] : nil, state.generation)
        }
        if let known { return known }
        guard let stored: Stored<AccountState> = try await store.load(account.uuid),
            let status = AccountStatus(stored.state)
        else { throw CommandError.notFound }
        state.withLockedValue { $0.keep(status, of: account, readIn: generation, atMost: Self.capacity) }
        return status
    }

    /// Forgets an account that this process has changed.
    func forget(_ account: AccountID) {
        state.withLockedValue { $0.forget([account]) }
    }

    /// Learns of the accounts that have changed since the last time.
    /// - Throws: what the source throws.
    package func refresh() async throws {
        let (moment, position) = (now(), state.withLockedValue { $0.position })
        let changes = try await source.changes(after: position)
        state.withLockedValue { $0.learn(changes, asOf: moment, atMost: Self.mostMarks) }
    }

    /// Refreshes repeatedly until the task is cancelled.
    package func run(every interval: Duration = .seconds(1)) async {
        await repeating(every: interval, else: "changes of accounts not read", at: .warning, to: logger) {
            try await refresh()
        }
    }
}

extension AccountDirectory.State {
    fileprivate mutating func keep(
        _ status: AccountStatus, of account: AccountID, readIn generation: Int, atMost capacity: Int
    ) {
        guard self.generation == generation else { return }
        if statuses.count >= capacity { statuses = [:] }
        statuses[account] = status
    }

    fileprivate mutating func forget(_ accounts: [AccountID]) {
        generation += 1
        for account in accounts { statuses[account] = nil }
    }

    /// - Parameter moment: before the changes were read.
    fileprivate mutating func learn(_ changes: AccountChanges, asOf moment: ContinuousClock.Instant, atMost most: Int) {
        // Statuses cached before the first refresh may have changed meanwhile.
        if position == nil { statuses = [:] }
        forget(changes.accounts)
        position = max(position ?? 0, changes.position)
        marks.append(AccountDirectory.Mark(head: changes.head, moment: moment))
        let reached = marks.prefix { $0.head <= changes.position }
        if let last = reached.last { knownUntil = max(knownUntil ?? last.moment, last.moment) }
        marks.removeFirst(max(reached.count, marks.count - most))
    }
}

extension AccountQueries: AccountDirectory.Source {}
