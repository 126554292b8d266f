package import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
package import Postgres

/// The writer of the log in this process: gathers commands, sends them in batches over one connection of its own, and
/// answers each only after its batch's commit.
///
/// The actor protects the connection and the epoch. After a lost connection the same batch is sent
/// again with the same ids, so appends stay idempotent; see ``AppendQueue`` for the order and `log.append` for the
/// database's guarantees.
package actor Appender {
    private let configuration: PostgresConfiguration
    private let limits: AppendLimits
    private let head: HeadSignal
    private let appended: HeadSignal
    private let logger: Logger
    private let now: @Sendable () -> Date
    /// Shared with the connection: from an answer to the next batch no other thread has to wake up. A thread of its
    /// own, so that more commands gather while it works.
    private var loop: (any EventLoop)?
    private var epoch: Int64?

    private let inbox: NIOLockedValueBox<AppendInbox>
    private var connection: PostgresConnection?
    /// The start of the first call that has failed since the last answer.
    private var troubleSince: ContinuousClock.Instant?
    private var backOff = BackOff(base: .milliseconds(20), limit: .seconds(2))

    /// - Parameters:
    ///   - configuration: the service's database. The connection made from it is used for nothing else.
    ///   - head: receives every committed position.
    ///   - appended: receives the positions this appender committed, for ``LogNotifier``.
    ///   - now: this process's clock, which the database compares with its own.
    package init(
        configuration: PostgresConfiguration, limits: AppendLimits = AppendLimits(), head: HeadSignal,
        appended: HeadSignal = HeadSignal(), logger: Logger, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configuration = configuration
        self.limits = limits
        self.head = head
        self.appended = appended
        self.logger = logger
        self.now = now
        inbox = NIOLockedValueBox(AppendInbox(limits: limits))
    }

    /// Commands waiting or in flight.
    package nonisolated var depth: Int { inbox.withLockedValue { $0.queue.depth } }

    /// Counts since the start; they only grow.
    package nonisolated var statistics: AppendStatistics { inbox.withLockedValue { $0.statistics } }

    /// Records a command's events; returns when they are durable.
    /// - Throws: ``AppendError``; only with ``AppendError/unknownOutcome`` may the events be in the log all the same.
    package nonisolated func append(_ command: AppendCommand) async throws(AppendError) -> AppendReceipt {
        try check(command)
        while true {
            var admission: AppendQueue<AppendInbox.Waiter>.Admission?
            let outcome: AppendOutcome = await withCheckedContinuation { waiter in
                let sender: CheckedContinuation<Void, Never>?
                (admission, sender) = inbox.withLockedValue { $0.admit(command, waiter) }
                sender?.resume()
                switch admission {
                case nil: waiter.resume(returning: .failure(.closed))
                case .full: waiter.resume(returning: .failure(.queueFull))
                case .queued, .joined, .follows: break
                }
            }
            // Another request with this id came first; the outcome of this one depends on whether that one was
            // appended.
            if admission == .follows { continue }
            let receipt = try outcome.get()
            return admission == .joined ? receipt.asRepeat : receipt
        }
    }

    /// Waits while a command with this id is queued or in flight in this process.
    package nonisolated func settle(_ id: UUID) async {
        let _: AppendOutcome = await withCheckedContinuation { waiter in
            let isKnown = inbox.withLockedValue { $0.queue.follow(id, waiter) }
            if !isKnown { waiter.resume(returning: .failure(.closed)) }
        }
    }

    private nonisolated func check(_ command: AppendCommand) throws(AppendError) {
        if command.events.isEmpty { throw .malformed("a command appends at least one event") }
        if command.fingerprint.count != 16 { throw .malformed("a fingerprint has 16 bytes") }
        if command.byteCount > limits.commandBytes {
            throw .malformed("a command has at most \(limits.commandBytes) bytes")
        }
    }

    /// Sends batches until ``close()`` has been called and everything queued has been answered. A cancelled task stops
    /// after the batch in hand; one that has none waits for ``close()``.
    package func run() async {
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = threads.next()
        self.loop = loop
        async let _: Void = answerOverdue()
        await withTaskExecutorPreference(EventLoopExecutor(loop)) {
            while !inbox.withLockedValue({ $0.isClosing && $0.queue.depth == 0 }) && !Task.isCancelled {
                if let batch = inbox.withLockedValue({ $0.queue.nextBatch() }) {
                    await send(batch)
                } else {
                    await withCheckedContinuation { sender in
                        if !inbox.withLockedValue({ $0.sleep(sender) }) { sender.resume() }
                    }
                }
            }
        }
        close()
        giveUp(.closed)
        await connection?.close()
        connection = nil
        try? await threads.shutdownGracefully()
    }

    /// Takes no more commands; ``run()`` returns when those taken are answered.
    package nonisolated func close() {
        inbox.withLockedValue { $0.close() }?.resume()
    }

    /// Runs while something that appends does, and then until everything queued has been answered.
    package nonisolated func whileRunning<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.run() }
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            close()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

// MARK: - Sending

extension Appender {
    private func send(_ batch: [AppendCommand]) async {
        let start = ContinuousClock.now
        do {
            let connection = try await connected(since: start)
            let sql = AppendStatement.sql(batch, epoch: epoch ?? 0, sentAt: now())
            let result = try await connection.query(sql, within: timeLeft(since: start))
            let outcomes = try AppendStatement.outcomes(result, of: batch)
            hasAnswered()
            deliver(outcomes, batch: batch, took: start.duration(to: .now))
        } catch {
            await handle(error, batch: batch, since: start)
        }
    }

    private func connected(since start: ContinuousClock.Instant) async throws(PostgresError) -> PostgresConnection {
        if let connection, !connection.isClosed { return connection }
        // The server gives up first, where it can: then the outcome is known. The wait for the head's lock is bounded,
        // the batch is then sent again, and callers get a timely answer.
        let deadline = configuration.statementDeadline
        var bounded = configuration.with(statementTimeout: deadline * 4 / 5, lockTimeout: deadline / 2)
        bounded.connectTimeout = min(configuration.connectTimeout, timeLeft(since: start))
        bounded.statementDeadline = timeLeft(since: start)
        let fresh = try await PostgresConnection.connect(bounded, on: loop, logger: logger)
        let origin = try await LogOrigin.read(fresh)
        // The first epoch read is kept; after a change of epoch the database rejects the old one.
        epoch = epoch ?? origin.epoch
        head.announce(origin.position)
        connection = fresh
        return fresh
    }

    /// The time a statement may take: never beyond the moment when everything that waits is given up.
    private func timeLeft(since start: ContinuousClock.Instant) -> Duration {
        let end = (troubleSince ?? start) + limits.timeout
        return max(.milliseconds(1), min(configuration.statementDeadline, ContinuousClock.now.duration(to: end)))
    }

    /// The database has answered, even if with a permanent error.
    private func hasAnswered() {
        troubleSince = nil
        backOff.reset()
    }

    private func deliver(_ outcomes: [AppendOutcome], batch: [AppendCommand], took: Duration) {
        if let position = outcomes.compactMap({ try? $0.get().position }).max() {
            head.announce(position)
            appended.announce(position)
        }
        let waiters = inbox.withLockedValue { inbox in
            inbox.statistics.record(outcomes, batch: batch, took: took)
            return inbox.queue.complete()
        }
        for (waiters, outcome) in zip(waiters, outcomes) { answer(waiters, outcome) }
    }

    private nonisolated func answer(_ waiters: [AppendInbox.Waiter], _ outcome: AppendOutcome) {
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// Answers each command in its time, whatever the sender waits for: one may have waited for a slow call before the
    /// trouble began.
    private nonisolated func answerOverdue() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: limits.timeout / 20)
            fail(inbox.withLockedValue { $0.queue.expire(before: .now - limits.answerTime) }, .unavailable)
        }
    }

    /// The same answer to every command of the batch in flight, but for those that an earlier call may have appended.
    private func answerBatch(_ error: AppendError) {
        fail(inbox.withLockedValue { $0.queue.reject() }, error)
    }

    /// Gives up every command that waits, the newest included.
    private func giveUp(_ error: AppendError) {
        fail(inbox.withLockedValue { $0.queue.abandon() }, error)
    }

    /// - Parameters:
    ///   - waiters: of commands that are not in the log, and of those that may be.
    ///   - error: the answer to the former.
    private nonisolated func fail(
        _ waiters: (absent: [AppendInbox.Waiter], unknown: [AppendInbox.Waiter]), _ error: AppendError
    ) {
        answer(waiters.absent, .failure(error))
        answer(waiters.unknown, .failure(.unknownOutcome))
    }
}

// MARK: - Trouble

extension Appender {
    private func handle(
        _ error: PostgresError, batch: [AppendCommand], since start: ContinuousClock.Instant
    ) async {
        inbox.withLockedValue { $0.statistics.rejection = error.sqlState }
        switch AppendFailure(error) {
        case .poison:
            hasAnswered()
            refuse(error, as: .rejected(error))
        case .actorErased:
            hasAnswered()
            refuse(error, as: .actorErased)
        case .clockRejected:
            hasAnswered()
            logger.error("append rejected: \(error.message)")
            answerBatch(.clockRejected)
        case .epochChanged:
            hasAnswered()
            logger.error("append rejected: the log's epoch changed; the process is ending")
            answerBatch(.epochChanged)
        case .partitionMissing:
            inbox.withLockedValue { $0.queue.sendAgain(isUncertain: false) }
            await addPartitions(for: batch, after: error, since: start)
        case .tooLong:
            inbox.withLockedValue { $0.queue.halve() }
            await pause(after: error, since: start)
        case .passing:
            inbox.withLockedValue { $0.queue.sendAgain(isUncertain: false) }
            await pause(after: error, since: start)
        case .connectionLost:
            let isUncertain = error.wasSent && error.sqlState != .readOnlyTransaction
            inbox.withLockedValue { $0.queue.sendAgain(isUncertain: isUncertain) }
            await disconnect()
            await pause(after: error, since: start)
        }
    }

    private func refuse(_ error: PostgresError, as answer: AppendError) {
        let culprit = inbox.withLockedValue { inbox in
            inbox.statistics.rejectedBatches += 1
            return inbox.queue.refuse()
        }
        guard let culprit else { return }
        logger.error("append rejected", metadata: ["error": "\(String(reflecting: error))"])
        self.answer(culprit, .failure(answer))
    }

    /// Creates partitions for a batch, even one larger than a partition. If there was room before, or there still is
    /// none, the cause of the failure is another.
    private func addPartitions(
        for batch: [AppendCommand], after failure: PostgresError, since start: ContinuousClock.Instant
    ) async {
        let isRepeat = troubleSince != nil
        let events = Int64(batch.reduce(0) { $0 + $1.events.count })
        do {
            let result = try await connected(since: start).query(
                "select log.add_partitions((3 + \(events) / partition_size)::integer) as made from log.head",
                within: timeLeft(since: start))
            let made: Int32 = try result.onlyRow().decode("made")
            if made == 0 || isRepeat { return await pause(after: failure, since: start) }
            troubleSince = start
        } catch {
            if AppendFailure(error) == .connectionLost { await disconnect() }
            await pause(after: error, since: start)
        }
    }

    private func disconnect() async {
        await connection?.close()
        connection = nil
    }

    /// Waits before the batch is sent again, or gives everything up.
    private func pause(after error: PostgresError, since start: ContinuousClock.Instant) async {
        inbox.withLockedValue { $0.statistics.retriedBatches += 1 }
        logger.warning("append failed, will be sent again", metadata: ["error": "\(String(reflecting: error))"])
        troubleSince = troubleSince ?? start
        let pause = backOff.next()
        // A call without the time for an answer would only make the outcome uncertain.
        let least = min(configuration.statementDeadline, limits.timeout) / 4
        if pause + least < timeLeft(since: start) {
            try? await Task.sleep(for: pause)
        } else {
            troubleSince = nil
            giveUp(.unavailable)
        }
    }
}
