import DequeModule
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// A fixed number of connections that many tasks share; each is kept up by a task of its own.
final class SharedConnections: Sendable {
    private let database: PostgresConfiguration
    private let count: Int
    private let maximumWait: Duration
    private let logger: Logger
    private let counters: PoolCounters
    private let waiters: Waiters<SharedMachine<PostgresConnection>, PostgresConnection>
    private let lastFailure = NIOLockedValueBox<PostgresError?>(nil)

    init(
        _ database: PostgresConfiguration, count: Int, maximumWait: Duration, logger: Logger, counters: PoolCounters
    ) {
        self.database = database
        self.count = count
        self.maximumWait = maximumWait
        self.logger = logger
        self.counters = counters
        waiters = Waiters(SharedMachine(count: count)) { $0.stopWaiting($1) }
    }

    var connections: [PostgresConnection] {
        waiters.withMachine { $0.connections }.filter { !$0.isClosed }
    }

    var waitingCount: Int { waiters.withMachine { $0.waitingCount } }

    /// The least loaded connection, as soon as there is one.
    ///
    /// - Throws: ``PostgresError/Kind/poolTimeout``, with the reason of the last failure to connect.
    func connection(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PostgresConnection {
        if let connection = leastLoaded { return connection }
        return try await waiters.wait(
            until: deadline, timeout: { self.timeout() },
            { machine, id in
                if machine.isClosed { return .failure(.poolIsClosed) }
                if let connection = machine.leastLoaded(Self.cost(at: .now)) { return .success(connection) }
                machine.wait(id)
                return nil
            })
    }

    private var leastLoaded: PostgresConnection? {
        waiters.withMachine { machine in
            machine.isClosed ? nil : machine.leastLoaded(Self.cost(at: .now))
        }
    }

    /// To wake another thread costs about as much as some statements more on the connection of one's own event loop,
    /// but nothing is worth the wait behind a statement that takes long.
    private static func cost(at now: ContinuousClock.Instant) -> (PostgresConnection) -> Int? {
        { connection in
            guard let backlog = connection.mailbox.backlog(at: now) else { return nil }
            return backlog.load + (backlog.isStalled ? 1_000 : connection.loop.inEventLoop ? 0 : 8)
        }
    }

    private func timeout() -> PostgresError {
        counters.count(\.timeouts)
        let reason = lastFailure.withLockedValue { $0?.message } ?? "is the pool running?"
        return PostgresError(
            .poolTimeout, "no connection within \(maximumWait); last attempt: \(reason)", wasSent: false)
    }

    // MARK: Keeping connections up

    /// Keeps the connections up until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for slot in 0..<count {
                group.addTask { await self.keepUp(slot) }
            }
        }
    }

    private func keepUp(_ slot: Int) async {
        var backOff = BackOff()
        while !Task.isCancelled {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(
                    database, on: EventLoops.all[slot % EventLoops.all.count], logger: logger)
                counters.count(\.connectionsMade)
                backOff.reset()
                waiters.update { ($0.connected(slot, connection).map { ($0, .success(connection)) }, ()) }
                await connection.waitUntilClosed()
                waiters.withMachine { $0.lost(slot) }
                await connection.close()
            } catch {
                noteFailure(error)
            }
            // A cancelled sleep ends at once, and then so does the loop.
            try? await Task.sleep(for: backOff.next())
        }
    }

    private func noteFailure(_ error: PostgresError) {
        guard !Task.isCancelled else { return }
        counters.count(\.connectionFailures)
        lastFailure.withLockedValue { $0 = error }
        logger.warning("cannot connect to the database", metadata: ["error": "\(error.debugDescription)"])
    }

    /// Rejects all requests from now on.
    func close() {
        waiters.update { ($0.close().map { ($0, .failure(.poolIsClosed)) }, ()) }
    }
}

/// Which of the shared connections are up, and who waits for one; a value without sockets or tasks.
struct SharedMachine<Connection: Sendable>: Sendable {
    private var slots: [Connection?]
    private var waiting = Deque<WaiterID>()
    private(set) var isClosed = false

    init(count: Int) {
        slots = Array(repeating: nil, count: count)
    }

    var connections: [Connection] { slots.compactMap { $0 } }
    var waitingCount: Int { waiting.count }

    /// The connection with the least to do, of those `load` gives a number for.
    func leastLoaded(_ load: (Connection) -> Int?) -> Connection? {
        connections.compactMap { connection in load(connection).map { (connection, $0) } }.min { $0.1 < $1.1 }?.0
    }

    mutating func wait(_ id: WaiterID) {
        waiting.append(id)
    }

    /// False when it does not wait any more.
    mutating func stopWaiting(_ id: WaiterID) -> Bool {
        guard let index = waiting.firstIndex(of: id) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// A slot is up: everybody who waits may go, because a shared connection takes any number.
    mutating func connected(_ slot: Int, _ connection: Connection) -> [WaiterID] {
        slots[slot] = connection
        return takeWaiting()
    }

    mutating func lost(_ slot: Int) {
        slots[slot] = nil
    }

    /// No more waiting from now on; the waiters are to be failed.
    mutating func close() -> [WaiterID] {
        isClosed = true
        return takeWaiting()
    }

    private mutating func takeWaiting() -> [WaiterID] {
        defer { waiting.removeAll() }
        return waiting.map { $0 }
    }
}

/// How long to wait before the next attempt: twice as long each time up to a limit, and of that a random part, so that
/// many clients do not come back to a restarted server in step.
package struct BackOff: Sendable {
    private let base: Duration
    private let limit: Duration
    private var attempts = 0

    /// - Parameters:
    ///   - base: the first pause.
    ///   - limit: the longest.
    package init(base: Duration = .milliseconds(50), limit: Duration = .seconds(5)) {
        self.base = base
        self.limit = limit
    }

    /// Between half and the whole of what is due.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let ceiling = min(limit, base * (1 << min(attempts, 20)))
        attempts += 1
        return ceiling * Double.random(in: 0.5...1, using: &generator)
    }

    /// Between half and the whole of what is due.
    package mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    /// After a success the next failure starts over.
    package mutating func reset() {
        attempts = 0
    }
}
