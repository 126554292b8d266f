/// Numbers the commands of one connection.
typealias CommandID = UInt64

/// Something a task has asked a connection for.
struct PipelineCommand: Sendable {
    enum Work: Sendable {
        /// One statement, pipelined with others.
        case statement(SQL)
        /// Something pipeline mode cannot do (a script, COPY); it gets the connection for itself.
        case exclusive
    }

    let id: CommandID
    let work: Work
    let caller: CallSite
    /// nil: no limit.
    var limit: TimeLimit?
    /// What came of it when it was sent the first time, with a plan that had become stale.
    var firstFailure: PostgresError?

    /// Bytes of its values.
    var size: Int {
        switch work {
        case .statement(let sql): sql.binds.size
        case .exclusive: 0
        }
    }

    var text: String? {
        switch work {
        case .statement(let sql): sql.text
        case .exclusive: nil
        }
    }

    func hasWaitedTooLong(at now: ContinuousClock.Instant) -> Bool {
        limit.map { $0.sendBy <= now } ?? false
    }
}

/// How long a command may take.
struct TimeLimit: Sendable {
    /// From the call to the answer; in a COPY also for each of its steps.
    let duration: Duration
    /// The time by which it must be sent.
    let sendBy: ContinuousClock.Instant
    /// The time by which it must be answered.
    let answerBy: ContinuousClock.Instant

    /// - Parameter wait: how long it may wait to be sent; nil means as long as the answer may take.
    init(_ duration: Duration, wait: Duration? = nil, from start: ContinuousClock.Instant = .now) {
        self.duration = duration
        answerBy = start + duration
        sendBy = start + min(duration, wait ?? duration)
    }
}

/// What is to be handed to libpq; a Sync follows each but the last.
enum PipelineTransmission: Sendable {
    case execute(SQL, name: String)
    case prepareAndExecute(SQL, name: String)
    case deallocate(name: String)
    /// Nothing is under way any more: leave pipeline mode for this command.
    case beginExclusive(CommandID)
}

/// One answer of libpq's `PQgetResult` in pipeline mode.
enum PipelineAnswer<Output> {
    case result(Output)
    case failure(PostgresError)
    /// Skipped, because something before it failed (`PGRES_PIPELINE_ABORTED`).
    case skipped
    /// NULL: no more results for this part of the command.
    case end
    /// `PGRES_PIPELINE_SYNC`, with the state of the session's transaction.
    case sync(TransactionStatus)
    /// COPY was begun where it cannot be continued.
    case copy
}

/// What the session's transaction is in.
package enum TransactionStatus: Sendable {
    /// No transaction.
    case idle
    /// In a transaction.
    case open
    /// In a transaction that an error has aborted.
    case failed
    /// libpq does not tell while more is under way.
    case unknown
}

/// What has become of a command.
enum PipelineOutcome<Output> {
    case succeeded(CommandID, Output)
    case failed(CommandID, PostgresError)
    /// Put back, to be prepared again.
    case retried(CommandID)
    /// The conversation cannot go on.
    case outOfStep(String)
}
