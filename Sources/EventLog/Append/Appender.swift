import FoundationEssentials
package import Logging
import NIOCore
import NIOPosix
package import Postgres

/// The writer of the log in this process: gathers commands, sends them in batches over one connection of its own, and
/// answers each only after its batch's commit.
///
/// The actor protects the queue and its waiters. After a lost connection the same batch is sent again with the same
/// ids, so appends stay idempotent; see ``AppendQueue`` for the order and `log.append` for the database's guarantees.
package actor Appender {
    private let configuration: PostgresConfiguration
    private let limits: AppendLimits
    private let head: HeadSignal
    private let appended: HeadSignal
    private let logger: Logger
    /// Shared with the connection: from an answer to the next batch no other thread has to wake up. A thread of its
    /// own, so that more commands gather while it works.
    private var loop: (any EventLoop)?
    private var clock: ClockGuard?
    private var epoch: Int64?

    private var queue: AppendQueue
    private var waiters: [AppendTicket: CheckedContinuation<Result<AppendReceipt, AppendError>, Never>] = [:]
    private var lastTicket: AppendTicket = 0
    private var connection: PostgresConnection?
    private var wakeUp: CheckedContinuation<Void, Never>?
    private var isClosing = false
    private var troubleSince: ContinuousClock.Instant?
    private var backoff = BackOff(base: .milliseconds(20), limit: .seconds(2))

    /// Counts since the start; they only grow.
    package private(set) var statistics = AppendStatistics()

    /// - Parameters:
    ///   - configuration: the service's database. The connection made from it is used for nothing else.
    ///   - head: receives every committed position.
    ///   - appended: receives the positions this appender committed, for ``LogNotifier``.
    package init(
        configuration: PostgresConfiguration, limits: AppendLimits = AppendLimits(), head: HeadSignal,
        appended: HeadSignal = HeadSignal(), logger: Logger
    ) {
        self.configuration = configuration
        self.limits = limits
        self.head = head
        self.appended = appended
        self.logger = logger
        queue = AppendQueue(limits: limits)
    }

    /// Commands waiting or in flight.
    package var depth: Int { queue.depth }

    /// Records a command's events; returns when they are durable.
    /// - Throws: ``AppendError``; only with ``AppendError/unknownOutcome`` may the events be in the log all the same.
    package func append(_ command: AppendCommand) async throws(AppendError) -> AppendReceipt {
        try check(command)
        lastTicket += 1
        let ticket = lastTicket
        let outcome = await withCheckedContinuation { continuation in
            admit(command, ticket, continuation)
        }
        return try outcome.get()
    }

    private func check(_ command: AppendCommand) throws(AppendError) {
        if isClosing { throw .closed }
        if command.events.isEmpty { throw .malformed("a command appends at least one event") }
        if command.fingerprint.count != 16 { throw .malformed("a fingerprint has 16 bytes") }
        if command.byteCount > limits.commandBytes {
            throw .malformed("a command has at most \(limits.commandBytes) bytes")
        }
    }

    private func admit(
        _ command: AppendCommand, _ ticket: AppendTicket,
        _ continuation: CheckedContinuation<Result<AppendReceipt, AppendError>, Never>
    ) {
        switch queue.admit(command, ticket: ticket) {
        case .queued, .joined:
            waiters[ticket] = continuation
            wake()
        case .full:
            statistics.turnedAway += 1
            continuation.resume(returning: .failure(.queueFull))
        case .differentRequest:
            continuation.resume(returning: .failure(.differentRequest))
        }
    }

    /// Sends batches until ``close()`` has been called and everything queued has been answered. A cancelled task stops
    /// after the batch in hand; one that has none waits for ``close()``.
    package func run() async {
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = threads.next()
        self.loop = loop
        await withTaskExecutorPreference(EventLoopExecutor(loop)) {
            while !(isClosing && queue.depth == 0) && !Task.isCancelled {
                if let batch = queue.nextBatch() {
                    await send(batch)
                } else {
                    await withCheckedContinuation { wakeUp = $0 }
                }
            }
        }
        isClosing = true
        giveUp()
        await connection?.close()
        connection = nil
        try? await threads.shutdownGracefully()
    }

    /// Takes no more commands; ``run()`` returns when those taken are answered.
    package func close() {
        isClosing = true
        wake()
    }

    /// Runs while something that appends does, and then until everything queued has been answered.
    package nonisolated func whileRunning<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.run() }
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            await close()
            try await group.waitForAll()
            return try result.get()
        }
    }

    private func wake() {
        wakeUp?.resume()
        wakeUp = nil
    }
}

// MARK: - Sending

extension Appender {
    private func send(_ batch: [AppendCommand]) async {
        let start = ContinuousClock.now
        do {
            let connection = try await connected()
            let sql = AppendStatement.sql(batch, epoch: epoch ?? 0, notAfter: clock?.limit() ?? .distantPast)
            let outcomes = try AppendStatement.outcomes(try await connection.query(sql), of: batch)
            troubleSince = nil
            backoff.reset()
            deliver(outcomes, batch: batch, took: start.duration(to: .now))
        } catch {
            await handle(error, batch: batch)
        }
    }

    private func connected() async throws(PostgresError) -> PostgresConnection {
        if let connection, !connection.isClosed { return connection }
        // Bounds the wait for the head's lock: the batch is then sent again, and callers get a timely answer.
        let impatient = configuration.with(lockTimeout: .seconds(5))
        let fresh = try await PostgresConnection.connect(impatient, on: loop, logger: logger)
        let origin = try await LogOrigin.read(fresh)
        // The first epoch read is kept; after a change of epoch the database rejects the old one.
        epoch = epoch ?? origin.epoch
        clock = clock ?? ClockGuard(databaseTime: origin.databaseTime, lastRecorded: origin.lastRecorded)
        head.announce(origin.position)
        connection = fresh
        return fresh
    }

    private func deliver(
        _ outcomes: [Result<AppendReceipt, AppendError>], batch: [AppendCommand], took: Duration
    ) {
        statistics.record(outcomes, batch: batch, took: took)
        if let position = outcomes.compactMap({ try? $0.get().position }).max() {
            head.announce(position)
            appended.announce(position)
        }
        for (tickets, outcome) in zip(queue.complete(), outcomes) { answer(tickets, outcome) }
    }

    private func answer(_ tickets: [AppendTicket], _ outcome: Result<AppendReceipt, AppendError>) {
        for ticket in tickets { waiters.removeValue(forKey: ticket)?.resume(returning: outcome) }
    }

    private func giveUp() {
        let (unsent, unknown) = queue.abandon()
        answer(unsent, .failure(.closed))
        answer(unknown, .failure(.unknownOutcome))
    }
}

// MARK: - Trouble

extension Appender {
    private func handle(_ error: PostgresError, batch: [AppendCommand]) async {
        switch AppendFailure(error) {
        case .poison:
            statistics.refusedBatches += 1
            if let tickets = queue.refuse() {
                logger.error("append rejected", metadata: ["error": "\(String(reflecting: error))"])
                answer(tickets, .failure(.refused(error)))
            }
        case .clockAhead:
            logger.error("append rejected: the database's clock is more than five minutes ahead")
            for tickets in queue.complete() { answer(tickets, .failure(.clockAhead)) }
        case .epochChanged:
            logger.error("append rejected: the log's epoch changed; restart the service")
            for tickets in queue.complete() { answer(tickets, .failure(.epochChanged)) }
        case .partitionMissing:
            queue.lose()
            await addPartitions()
        case .retry(let connectionLost):
            queue.lose()
            await pause(after: error, connectionLost: connectionLost)
        }
    }

    private func addPartitions() async {
        do {
            _ = try await connected().query("select log.add_partitions(3)")
        } catch {
            await pause(after: error, connectionLost: error.isConnectionLoss)
        }
    }

    private func pause(after error: PostgresError, connectionLost: Bool) async {
        statistics.retriedBatches += 1
        logger.warning("append failed, will be sent again", metadata: ["error": "\(String(reflecting: error))"])
        if connectionLost {
            await connection?.close()
            connection = nil
        }
        let now = ContinuousClock.now
        let since = troubleSince ?? now
        troubleSince = since
        if since.duration(to: now) > limits.patience { giveUpWaiting() }
        try? await Task.sleep(for: backoff.next())
    }

    /// Gives up every command that waits, the newest included. The outcome of a batch in flight is unknown.
    private func giveUpWaiting() {
        troubleSince = nil
        let (unsent, unknown) = queue.abandon()
        answer(unsent, .failure(.unavailable))
        answer(unknown, .failure(.unknownOutcome))
    }
}
