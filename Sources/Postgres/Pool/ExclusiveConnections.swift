import DequeModule
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// A bounded number of connections that one task at a time has for itself; they are opened when first needed.
final class ExclusiveConnections: Sendable {
    typealias Machine = ExclusiveMachine<PostgresConnection>

    private let database: PostgresConfiguration
    private let maximumWait: Duration
    private let logger: Logger
    private let counters: PoolCounters
    private let waiters: Waiters<Machine, Machine.Grant>
    private let returned = AsyncStream<Never>.makeStream()

    init(
        _ database: PostgresConfiguration, capacity: Int, maximumWaiters: Int, maximumWait: Duration, logger: Logger,
        counters: PoolCounters
    ) {
        self.database = database
        self.maximumWait = maximumWait
        self.logger = logger
        self.counters = counters
        waiters = Waiters(Machine(capacity: capacity, maximumWaiters: maximumWaiters)) { $0.stopWaiting($1) }
    }

    func withMachine<Value>(_ body: (inout Machine) -> Value) -> Value {
        waiters.withMachine(body)
    }

    /// A connection for one caller alone; it must be released.
    func acquire() async throws(PostgresError) -> PostgresConnection {
        let deadline = ContinuousClock.now + maximumWait
        while true {
            let grant = try await waiters.wait(
                until: deadline, timeout: { self.timeout() },
                { machine, id in
                    switch machine.acquire(id, preferring: { $0.loop.inEventLoop }) {
                    case .granted(let grant): .success(grant)
                    case .wait: nil
                    case .full: .failure(tooManyWait())
                    case .closed: .failure(.poolIsClosed)
                    }
                })
            switch grant {
            case .connection(let connection):
                if !connection.isClosed { return connection }
                await release(connection)  // died in its sleep: give the place back and ask again
            case .open: return try await open(until: deadline)
            }
        }
    }

    /// Opens a connection, again and again until `deadline`: a server that restarts is soon back.
    private func open(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PostgresConnection {
        var backOff = BackOff()
        while true {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(
                    database, on: EventLoops.all.first { $0.inEventLoop }, logger: logger)
                counters.count(\.connectionsMade)
                return connection
            } catch {
                if error.kind != .cancelled { counters.count(\.connectionFailures) }
                let pause = backOff.next()
                guard error.kind == .connectionFailed, .now + pause < deadline, await slept(pause) else {
                    await give(nil)
                    throw Task.isCancelled ? .cancelledWhileWaiting : error
                }
            }
        }
    }

    private func slept(_ pause: Duration) async -> Bool {
        do {
            try await Task.sleep(for: pause)
            return true
        } catch {
            return false
        }
    }

    private func timeout() -> PostgresError {
        counters.count(\.timeouts)
        return PostgresError(
            .poolTimeout, "all exclusive connections were in use for \(maximumWait)", wasSent: false)
    }

    private func tooManyWait() -> PostgresError {
        counters.count(\.timeouts)
        return PostgresError(.poolTimeout, "too many tasks wait for an exclusive connection", wasSent: false)
    }

    /// Gives a connection back; one that is closed leaves its place empty.
    func release(_ connection: PostgresConnection) async {
        await give(connection.isClosed ? nil : connection)
    }

    private func give(_ connection: PostgresConnection?) async {
        let isClosed = waiters.update { machine in
            (machine.release(connection).map { [($0.waiter, .success($0.grant))] } ?? [], machine.isClosed)
        }
        if isClosed { await connection?.close() }
        if waiters.withMachine({ $0.isDone }) { returned.continuation.finish() }
    }

    /// Waits, after ``close()``, until every connection has come back, but not beyond `deadline`.
    func waitUntilReturned(until deadline: ContinuousClock.Instant) async {
        if waiters.withMachine({ $0.isDone }) { return }
        let finish = returned.continuation
        EventLoops.execute(at: deadline) { finish.finish() }
        for await _ in returned.stream {}
    }

    /// Rejects all requests from now on and closes what is idle.
    func close() async {
        let idle = waiters.update { machine in
            let closing = machine.close()
            return (closing.waiters.map { ($0, .failure(.poolIsClosed)) }, closing.idle)
        }
        for connection in idle { await connection.close() }
    }
}

/// The holders of, and the waiters for, a bounded number of exclusive connections; a value without sockets or tasks.
///
/// A place is either a connection or the right to open one. Places go round in order of arrival.
struct ExclusiveMachine<Connection: Sendable>: Sendable {
    /// The grant to a task that asked for a connection.
    enum Grant: Sendable {
        case connection(Connection)
        /// The place is free but empty: open a connection, and give the place back if that fails.
        case open
    }

    enum Answer {
        case granted(Grant)
        case wait
        /// All are in use, and the maximum number of tasks is waiting.
        case full
        case closed
    }

    private let capacity: Int
    private let maximumWaiters: Int
    private var idle: [Connection] = []
    private var taken = 0
    private var waiting = Deque<WaiterID>()
    private(set) var isClosed = false

    init(capacity: Int, maximumWaiters: Int = .max) {
        self.capacity = capacity
        self.maximumWaiters = maximumWaiters
    }

    var idleCount: Int { idle.count }
    var takenCount: Int { taken }
    var waitingCount: Int { waiting.count }

    /// - Parameter isNear: of the idle connections, one for which this is true is lent first.
    mutating func acquire(_ id: WaiterID, preferring isNear: (Connection) -> Bool = { _ in false }) -> Answer {
        guard !isClosed else { return .closed }
        if let index = idle.lastIndex(where: isNear) ?? idle.indices.last {
            taken += 1
            return .granted(.connection(idle.remove(at: index)))
        }
        guard taken >= capacity else {
            taken += 1
            return .granted(.open)
        }
        guard waiting.count < maximumWaiters else { return .full }
        waiting.append(id)
        return .wait
    }

    /// Someone gives a place back, with its connection if that is still good. The place may pass on at once.
    mutating func release(_ connection: Connection?) -> (waiter: WaiterID, grant: Grant)? {
        guard !isClosed, let next = waiting.popFirst() else {
            taken -= 1
            // When closed, it is up to the giver to close the connection.
            if let connection, !isClosed { idle.append(connection) }
            return nil
        }
        return (next, connection.map { .connection($0) } ?? .open)
    }

    /// Whether all connections have come back after ``close()``.
    var isDone: Bool { isClosed && taken == 0 }

    /// False when it does not wait any more.
    mutating func stopWaiting(_ id: WaiterID) -> Bool {
        guard let index = waiting.firstIndex(of: id) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// No more requests from now on; waiters are to be failed, and idle connections closed.
    mutating func close() -> (waiters: [WaiterID], idle: [Connection]) {
        isClosed = true
        defer { (waiting, idle) = ([], []) }
        return (waiting.map { $0 }, idle)
    }
}
