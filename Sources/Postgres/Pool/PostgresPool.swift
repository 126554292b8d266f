package import Logging
import NIOConcurrencyHelpers

/// Connections to one database: some that all tasks share, for short statements, and some for one task at a time.
///
/// ``run()`` keeps the shared connections up, and the one through which work is cancelled; it belongs in the task group
/// of the program's services. Before it runs, and while the server is away, callers wait, but never longer than
/// ``PostgresPoolConfiguration/maximumWait``.
package final class PostgresPool: Sendable {
    let configuration: PostgresPoolConfiguration
    let shared: SharedConnections
    let exclusive: ExclusiveConnections
    /// One connection, never used for anything else, so that telling the server to stop never has to wait in line.
    let control: SharedConnections
    let counters = PoolCounters()
    let logger: Logger
    private let stopping = AsyncStream<Never>.makeStream()

    /// Describes a pool; nothing is opened yet.
    package init(
        _ database: PostgresConfiguration, _ configuration: PostgresPoolConfiguration = PostgresPoolConfiguration(),
        logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        let wait = configuration.maximumWait
        var sharedDatabase = database.with(
            statementTimeout: configuration.sharedStatementTimeout, idleInTransactionTimeout: .seconds(30))
        sharedDatabase.maximumWait = wait
        let exclusiveDatabase = database.with(
            statementTimeout: configuration.exclusiveStatementTimeout, idleInTransactionTimeout: .seconds(300))
        let controlDatabase = database.with(statementTimeout: configuration.cancelGrace)
        shared = SharedConnections(
            sharedDatabase, count: configuration.sharedConnections, maximumWait: wait, logger: logger,
            counters: counters)
        control = SharedConnections(
            controlDatabase, count: 1, maximumWait: wait, logger: logger, counters: counters)
        exclusive = ExclusiveConnections(
            exclusiveDatabase, capacity: configuration.exclusiveConnections,
            maximumWaiters: configuration.exclusiveWaiters, maximumWait: wait, logger: logger, counters: counters)
    }

    /// Keeps the connections up until the task is cancelled or ``shutdown()`` is called. To be called once.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.shared.run() }
            group.addTask { await self.control.run() }
            let stopping = stopping.stream
            group.addTask { for await _ in stopping {} }
            // The stream ends with a shutdown or with the cancellation of this task; the others then end as well.
            await group.next()
            refuseAll()
            group.cancelAll()
        }
        await exclusive.close()
    }

    private func refuseAll() {
        shared.close()
        control.close()
    }

    /// Takes no more work, waits for what is under way (a bounded time), then closes all connections.
    package func shutdown() async {
        shared.close()
        await exclusive.close()
        let deadline = ContinuousClock.now + configuration.shutdownGrace
        for connection in shared.connections {
            _ = await connection.waitUntilIdle(atMost: ContinuousClock.now.duration(to: deadline))
        }
        await exclusive.waitUntilReturned(until: deadline)
        control.close()
        stopping.continuation.finish()
    }

    /// What the pool is doing.
    package var snapshot: PostgresPoolSnapshot {
        var snapshot = counters.current
        let connections = shared.connections
        snapshot.sharedUp = connections.count
        snapshot.sharedLoad = connections.reduce(0) { $0 + $1.load }
        snapshot.sharedWaiting = shared.waitingCount
        exclusive.withMachine { machine in
            snapshot.exclusiveTaken = machine.takenCount
            snapshot.exclusiveIdle = machine.idleCount
            snapshot.exclusiveWaiting = machine.waitingCount
        }
        return snapshot
    }
}

extension PostgresPool: PostgresQuerying {
    /// Runs a short statement on the least loaded shared connection.
    ///
    /// A statement that was never sent because its connection went down is sent on another; one that was sent is not
    /// repeated: it may have taken effect.
    package func query(
        _ sql: SQL, within limit: Duration?, from caller: CallSite
    ) async throws(PostgresError) -> PostgresResult {
        let deadline = ContinuousClock.now + configuration.maximumWait
        while true {
            let connection: PostgresConnection
            do throws(PostgresError) {
                connection = try await shared.connection(until: deadline)
            } catch {
                throw error.attributed(query: sql.text, caller: caller)
            }
            do throws(PostgresError) {
                return try await connection.query(sql, within: limit, from: caller)
            } catch {
                guard !error.wasSent, error.isConnectionLoss || error.kind == .timeout else {
                    if error.kind == .poolTimeout { counters.count(\.timeouts) }
                    throw error
                }
            }
        }
    }
}

extension PostgresPool {
    /// Runs a pool for as long as `body` takes: for commands and tests.
    package static func withPool<Value: Sendable>(
        _ database: PostgresConfiguration, _ configuration: PostgresPoolConfiguration = PostgresPoolConfiguration(),
        logger: Logger, _ body: @Sendable (PostgresPool) async throws -> Value
    ) async throws -> Value {
        let pool = PostgresPool(database, configuration, logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            let result: Result<Value, any Error>
            do { result = .success(try await body(pool)) } catch { result = .failure(error) }
            await pool.shutdown()
            return try result.get()
        }
    }
}

/// The size and the time limits of a pool.
package struct PostgresPoolConfiguration: Sendable {
    /// Connections that many tasks share, for short statements.
    package var sharedConnections = 4
    /// Connections for one task at a time, opened when first needed.
    package var exclusiveConnections = 4
    /// Tasks that may wait for one of those; more are rejected at once.
    package var exclusiveWaiters = Int.max
    /// After this time the server interrupts a statement on a shared connection, for the sake of those behind it.
    package var sharedStatementTimeout: Duration = .seconds(5)
    /// After this time the server interrupts a statement on an exclusive connection; nil leaves the server's setting.
    package var exclusiveStatementTimeout: Duration?
    /// How long a task may wait for a connection, and a statement to be sent.
    package var maximumWait: Duration = .seconds(5)
    /// How long an exclusive connection may take to come to rest after it was told to stop; then it is closed.
    package var cancelGrace: Duration = .seconds(2)
    /// How long `shutdown` waits for work under way.
    package var shutdownGrace: Duration = .seconds(10)

    /// The defaults.
    package init() {}
}

/// The state of a pool, for metrics and readiness.
package struct PostgresPoolSnapshot: Sendable, Hashable {
    /// Shared connections that are up.
    package var sharedUp = 0
    /// Statements on shared connections that are not answered yet.
    package var sharedLoad = 0
    /// Tasks that wait because no shared connection is up.
    package var sharedWaiting = 0
    /// Exclusive connections in use or being opened.
    package var exclusiveTaken = 0
    /// Exclusive connections that are open and free.
    package var exclusiveIdle = 0
    /// Tasks that wait for an exclusive connection.
    package var exclusiveWaiting = 0
    /// Connections made since the start.
    package var connectionsMade = 0
    /// Attempts to connect that failed since the start.
    package var connectionFailures = 0
    /// Requests rejected because the wait was too long, since the start.
    package var timeouts = 0
    /// Times the server was told to stop what an exclusive connection was doing, since the start.
    package var cancellations = 0
}

/// Counters of a pool.
final class PoolCounters: Sendable {
    private let snapshot = NIOLockedValueBox(PostgresPoolSnapshot())

    var current: PostgresPoolSnapshot { snapshot.withLockedValue { $0 } }

    func count(_ counter: any WritableKeyPath<PostgresPoolSnapshot, Int> & Sendable) {
        snapshot.withLockedValue { $0[keyPath: counter] += 1 }
    }
}
