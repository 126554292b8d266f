internal import Logging
internal import NIOConcurrencyHelpers

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
                if let connection = machine.leastLoaded({ $0.isClosed ? nil : $0.load }) { return .success(connection) }
                machine.wait(id)
                return nil
            })
    }

    private var leastLoaded: PostgresConnection? {
        waiters.withMachine { machine in
            machine.isClosed ? nil : machine.leastLoaded { $0.isClosed ? nil : $0.load }
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
                let connection = try await PostgresConnection.connect(database, logger: logger)
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

    /// Refuses everyone from now on.
    func close() {
        waiters.update { ($0.close().map { ($0, .failure(.poolIsClosed)) }, ()) }
    }
}
