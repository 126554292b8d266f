import DequeModule

/// The conversation of a connection in pipeline mode, as a value: what to send next, and what an answer means.
///
/// It knows neither sockets nor libpq. Commands wait in a queue until the window has room, are sent with a Sync each
/// (so an error stays with its own command), and are answered in order. A command is done when its Sync has come back,
/// not when its result has: the commit happens in between.
///
/// Source: PostgreSQL documentation, "Pipeline Mode".
struct PipelineMachine<Output> {
    /// How much may be on its way at once. It bounds libpq's buffers, and with them what a slow server costs us.
    struct Window {
        var commands = 256
        /// Bytes of values; a single larger command is let through alone.
        var bytes = 1 << 20
    }

    private let window: Window
    private var waiting = Deque<PipelineCommand>()
    private var inFlight = Deque<Expectation<Output>>()
    private var bytesInFlight = 0
    private var exclusive: CommandID?
    private var statements: StatementCache
    /// A deallocation was rejected because the transaction has failed; the next one would be too.
    private var transactionHasFailed = false

    init(window: Window = Window(), statementCapacity: Int = 256) {
        self.window = window
        self.statements = StatementCache(capacity: statementCapacity)
    }

    /// Whether answers are due.
    var expectsAnswers: Bool { !inFlight.isEmpty }
    /// Whether nothing is waiting, under way or holding the connection for itself.
    var isIdle: Bool { waiting.isEmpty && inFlight.isEmpty && exclusive == nil }
    /// Whether a command has the connection for itself.
    var isExclusive: Bool { exclusive != nil }
    var waitingCount: Int { waiting.count }
    /// The first moment at which a command has waited too long, to be sent or to be answered.
    var nextDeadline: ContinuousClock.Instant? {
        let answers = inFlight.compactMap { $0.command?.limit?.answerBy }
        let sendings = waiting.compactMap { $0.limit?.sendBy }
        return (answers + sendings).min()
    }

    // MARK: Sending

    mutating func submit(_ command: PipelineCommand) {
        waiting.append(command)
    }

    /// What to send next, if the window allows. To be called until it returns nil.
    mutating func nextTransmission() -> PipelineTransmission? {
        guard exclusive == nil else { return nil }
        if !transactionHasFailed, let name = statements.popEvicted() { return deallocate(name) }
        guard let command = waiting.first else { return nil }
        switch command.work {
        case .exclusive:
            guard inFlight.isEmpty, waiting.popFirst() != nil else { return nil }
            exclusive = command.id
            return .beginExclusive(command.id)
        case .statement(let sql):
            guard hasRoom(for: sql.binds.size), waiting.popFirst() != nil else { return nil }
            return send(command, sql)
        }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        inFlight.isEmpty || (inFlight.count < window.commands && bytesInFlight + bytes <= window.bytes)
    }

    private mutating func send(_ command: PipelineCommand, _ sql: SQL) -> PipelineTransmission {
        let use = statements.use(StatementKey(sql))
        inFlight.append(Expectation(of: .command(command), use: use))
        bytesInFlight += sql.binds.size
        return switch use {
        case .prepared(let name): .execute(sql, name: name)
        case .prepare(let name): .prepareAndExecute(sql, name: name)
        }
    }

    private mutating func deallocate(_ name: String) -> PipelineTransmission {
        inFlight.append(Expectation(of: .deallocation(name), use: .prepared(name: name)))
        return .deallocate(name: name)
    }

    /// The command that had the connection for itself is done.
    mutating func endExclusive() {
        exclusive = nil
        // It may have ended the transaction.
        transactionHasFailed = false
    }

    // MARK: Receiving

    /// Interprets an answer.
    mutating func receive(_ answer: PipelineAnswer<Output>) -> PipelineOutcome<Output>? {
        guard !inFlight.isEmpty else { return .outOfStep("an answer without a question") }
        switch inFlight[0].receive(answer) {
        case .more: return nil
        case .outOfStep(let reason): return .outOfStep(reason)
        case .done(let transaction):
            return finish(inFlight.removeFirst(), transaction)
        }
    }

    private mutating func finish(
        _ expectation: Expectation<Output>, _ transaction: TransactionStatus
    ) -> PipelineOutcome<Output>? {
        switch expectation.subject {
        case .deallocation(let name):
            guard expectation.failure?.sqlState == .inFailedTransaction else { return nil }
            statements.keepForEviction(name)
            transactionHasFailed = true
            return nil
        case .command(let command):
            bytesInFlight -= command.size
            if let failure = expectation.failure { return fail(command, expectation, failure, transaction) }
            guard let output = expectation.output else { return .outOfStep("a Sync came before the result") }
            transactionHasFailed = false
            return .succeeded(command.id, output)
        }
    }

    /// A plan that has become stale is prepared again, once, unless it has failed a transaction: then the failed
    /// attempt has left no trace. Where that is not known, the server rejects the second attempt (25P02) and the first
    /// error counts.
    private mutating func fail(
        _ command: PipelineCommand, _ expectation: Expectation<Output>, _ failure: PostgresError,
        _ transaction: TransactionStatus
    ) -> PipelineOutcome<Output>? {
        guard case .statement(let sql) = command.work else { return .outOfStep("a result for exclusive work") }
        let stale = failure.sqlState == .invalidStatementName || failure.sqlState == .featureNotSupported
        if stale || expectation.failedToPrepare {
            statements.forget(StatementKey(sql), name: expectation.use.name)
        }
        if stale, case .prepared = expectation.use, transaction == .idle || transaction == .unknown,
            command.firstFailure == nil
        {
            var again = command
            again.firstFailure = failure
            waiting.prepend(again)
            return .retried(command.id)
        }
        let cause = failure.sqlState == .inFailedTransaction ? command.firstFailure ?? failure : failure
        return .failed(command.id, cause.attributed(query: sql.text, caller: command.caller))
    }

    // MARK: Giving up

    /// What becomes of a command whose task was cancelled: one still waiting is never sent.
    mutating func cancel(_ id: CommandID) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Removes and returns the commands that were not sent in time.
    mutating func expire(at now: ContinuousClock.Instant) -> [PipelineCommand] {
        let expired = waiting.filter { $0.hasWaitedTooLong(at: now) }
        if !expired.isEmpty { waiting.removeAll { $0.hasWaitedTooLong(at: now) } }
        return Array(expired)
    }

    /// Whether a command that was sent should have been answered by now.
    func isOverdue(at now: ContinuousClock.Instant) -> Bool {
        inFlight.contains { $0.command?.limit.map { $0.answerBy <= now } ?? false }
    }

    /// Ends the conversation: every command gets an error, in order. The first may owe it to what the server said last.
    mutating func failAll(_ error: PostgresError) -> [(CommandID, PostgresError)] {
        var failures: [(CommandID, PostgresError)] = []
        for expectation in inFlight {
            guard case .command(let command) = expectation.subject else { continue }
            var failure = error
            failure.report = expectation.failure?.report ?? error.report
            failures.append((command.id, failure.attributed(query: command.text, caller: command.caller)))
        }
        for command in waiting {
            failures.append(
                (command.id, error.neverSent().attributed(query: command.text, caller: command.caller)))
        }
        inFlight.removeAll()
        waiting.removeAll()
        bytesInFlight = 0
        return failures
    }
}
