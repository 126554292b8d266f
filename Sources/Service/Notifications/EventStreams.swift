package import Domain
import EventLog
import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import ReadModels

/// The open streams of notifications in this process, and the one watcher that wakes them.
///
/// As the log grows, the watcher asks with one statement who may have news, and fills the notifications of those who
/// listen; nothing is asked while nothing is recorded. Every three seconds one more statement asks which sessions have
/// ended, and whether another process has filled. A stream is woken by the account's own events and those of its
/// region's targets. Events of other accounts never wake a stream: their timing would reveal them.
package final class EventStreams: Sendable {
    /// How many streams there may be.
    package struct Limits: Sendable {
        package var perAccount = 5
        package var inProcess = 10_000

        package init() {}
    }

    /// Why no stream is opened.
    package enum Rejection: Error {
        case tooManyOfAccount, tooManyInProcess
    }

    private struct Listener {
        let account: AccountID
        /// The session, or the API key.
        let session: UUID
        let mailbox: EventMailbox
    }

    private struct State {
        var listeners: [Int64: Listener] = [:]
        var accounts: [AccountID: Set<Int64>] = [:]
        /// Of accounts that listen, once their notifications were filled.
        var regions: [AccountID: RegionCode] = [:]
        /// Those whose notifications could not be filled.
        var unfilled: Set<AccountID> = []
        var lastID: Int64 = 0
    }

    /// How often sessions are checked: a stream outlives its session by less than 5 seconds.
    package static let checkPeriod = Duration.seconds(3)
    /// The time between two heartbeats of a stream.
    package static let heartbeat = Duration.seconds(20)
    /// Heartbeats are spread over so many moments, or all streams would be written to at once.
    private static let slots: Int64 = 20
    /// How long events may gather before they are looked at.
    private static let rest = Duration.milliseconds(100)
    /// The most positions looked at by one statement.
    private static let slice: Int64 = 20_000
    /// Accounts filled at once.
    private static let fillers = 2

    private let limits: Limits
    private let filling: InboxFilling
    private let queries: EventStreamQueries
    private let log: LogState
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = NIOLockedValueBox(State())

    init(
        _ filling: InboxFilling, log: LogState, limits: Limits, now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        (self.filling, self.log, self.limits, self.now, self.logger) = (filling, log, limits, now, logger)
        queries = EventStreamQueries(database: filling.database)
    }

    /// The number of open streams.
    package var count: Int { state.withLockedValue { $0.listeners.count } }

    /// Opens a stream. What is recorded from now on wakes it.
    /// - Throws: ``Rejection``.
    package func open(for principal: Principal) throws(Rejection) -> EventStream {
        let mailbox = EventMailbox()
        let account = principal.accountID
        let opened = state.withLockedValue { state -> Result<Int64, Rejection> in
            guard state.listeners.count < limits.inProcess else { return .failure(.tooManyInProcess) }
            guard state.accounts[account]?.count ?? 0 < limits.perAccount else { return .failure(.tooManyOfAccount) }
            state.lastID += 1
            state.listeners[state.lastID] = Listener(account: account, session: principal.sessionID, mailbox: mailbox)
            state.accounts[account, default: []].insert(state.lastID)
            return .success(state.lastID)
        }
        let id = try opened.get()
        return EventStream(mailbox) { [weak self] in self?.forget(id) }
    }

    /// Ends all streams of an account.
    package func end(of account: AccountID) {
        for mailbox in mailboxes(of: account) { mailbox.end() }
    }

    private func forget(_ id: Int64) {
        state.withLockedValue { state in
            guard let listener = state.listeners.removeValue(forKey: id) else { return }
            state.accounts[listener.account]?.remove(id)
            guard state.accounts[listener.account]?.isEmpty == true else { return }
            state.accounts[listener.account] = nil
            state.regions[listener.account] = nil
            state.unfilled.remove(listener.account)
        }
    }

    private func mailboxes(of account: AccountID) -> [EventMailbox] {
        state.withLockedValue { state in
            state.accounts[account, default: []].compactMap { state.listeners[$0]?.mailbox }
        }
    }
}

// MARK: - The watcher

extension EventStreams {
    /// Watches until the task is cancelled, which ends all streams.
    /// - Parameter clock: of heartbeats and of the checks of sessions.
    package func run(clock: any Clock<Duration> = ContinuousClock()) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow() }
            group.addTask { [logger] in
                await repeating(
                    every: Self.checkPeriod, on: clock, else: "streams not checked", at: .warning, to: logger
                ) { try await self.check() }
            }
            group.addTask { await self.beat(by: clock) }
        }
        for listener in state.withLockedValue({ Array($0.listeners.values) }) { listener.mailbox.end() }
    }

    private func follow() async {
        // Every stream that opens is filled once the models have reached the head of the start.
        var seen = log.startPosition
        while !Task.isCancelled {
            // The announcement of a head may be missed; the models do without.
            await log.head.wait(beyond: seen, atMost: .seconds(1))
            try? await Task.sleep(for: Self.rest)
            do {
                while let upto = reached(beyond: seen) {
                    if count > 0 { try await look(after: seen, upto: upto) }
                    seen = upto
                }
            } catch {
                if Task.isCancelled { return }
                logger.warning("news not looked for", metadata: ["error": "\(String(reflecting: error))"])
            }
        }
    }

    /// A position that all models have reached; nil unless it is a higher one, or if one of them is behind.
    private func reached(beyond seen: Int64) -> Int64? {
        guard (try? filling.check()) != nil,
            let reached = InboxFilling.plan.models.map({ log.position(of: $0.name) }).min(), reached > seen
        else { return nil }
        return min(reached, seen + Self.slice)
    }

    private func look(after seen: Int64, upto: Int64) async throws {
        let touched = try await queries.touched(after: seen, upto: upto)
        await fill(
            state.withLockedValue { state in
                state.accounts.keys.filter { account in
                    touched.accounts.contains(account)
                        || state.regions[account].map(touched.regions.contains) == true
                }
            })
    }

    /// Fills the notifications of some accounts, a few at a time, and wakes their streams.
    private func fill(_ accounts: [AccountID]) async {
        var rest = accounts.makeIterator()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.fillers {
                guard let account = rest.next() else { break }
                group.addTask { await self.fill(account) }
            }
            for await _ in group {
                guard let account = rest.next(), !Task.isCancelled else { continue }
                group.addTask { await self.fill(account) }
            }
        }
    }

    private func fill(_ account: AccountID) async {
        do {
            _ = try await newest(of: account)
        } catch {
            if Task.isCancelled { return }
            logger.warning("notifications not filled", metadata: ["error": "\(String(reflecting: error))"])
            state.withLockedValue { state in
                if state.accounts[account] != nil { state.unfilled.insert(account) }
            }
        }
    }

    /// Fills the notifications of an account that listens, and wakes its streams.
    /// - Returns: the newest number.
    /// - Throws: what the database throws.
    package func newest(of account: AccountID) async throws -> Int {
        let filled = try await filling.fill(account)
        state.withLockedValue { state in
            if state.accounts[account] != nil { state.regions[account] = filled.region }
        }
        for mailbox in mailboxes(of: account) { mailbox.announce(newest: filled.newest) }
        return filled.newest
    }

    /// Ends the streams whose sessions have ended, and wakes those with notifications that another process has filled.
    private func check() async throws {
        let listeners = state.withLockedValue { $0.listeners }
        guard !listeners.isEmpty else { return }
        let streams = listeners.map { (id: $0.key, account: $0.value.account, session: $0.value.session) }
        for status in try await queries.statuses(of: streams, at: now()) {
            guard let mailbox = listeners[status.id]?.mailbox else { continue }
            if status.isOpen { mailbox.announce(newest: status.newest) } else { mailbox.end() }
        }
        let unfilled = state.withLockedValue { state in
            defer { state.unfilled = [] }
            return state.unfilled
        }
        await fill(Array(unfilled))
    }

    private func beat(by clock: any Clock<Duration>) async {
        var slot: Int64 = 0
        while !Task.isCancelled {
            try? await clock.sleep(for: Self.heartbeat / Int(Self.slots))
            slot = (slot + 1) % Self.slots
            let due = state.withLockedValue { state in
                state.listeners.filter { $0.key % Self.slots == slot }.map(\.value.mailbox)
            }
            for mailbox in due { mailbox.beat() }
        }
    }
}
