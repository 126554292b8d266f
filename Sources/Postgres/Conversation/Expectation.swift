/// The answers one command is still owed: those of preparing it (where needed), of running it, and its Sync.
struct Expectation<Output> {
    enum Subject {
        case command(PipelineCommand)
        /// A statement the server may forget; it has no waiter.
        case deallocation(String)
    }

    enum Progress {
        case more
        case done(TransactionStatus)
        case outOfStep(String)
    }

    private enum Phase {
        case preparing
        case executing
        case syncing
    }

    let subject: Subject
    let use: StatementCache.Use
    private(set) var output: Output?
    /// The first error; those after it only follow from it.
    private(set) var failure: PostgresError?
    private(set) var failedToPrepare = false
    private var phase: Phase
    private var endsWhileSyncing = 0

    init(of subject: Subject, use: StatementCache.Use) {
        self.subject = subject
        self.use = use
        switch use {
        case .prepare: phase = .preparing
        case .prepared: phase = .executing
        }
    }

    /// nil for a deallocation.
    var command: PipelineCommand? {
        if case .command(let command) = subject { command } else { nil }
    }

    mutating func receive(_ answer: PipelineAnswer<Output>) -> Progress {
        switch answer {
        case .result(let output): return receive(output)
        case .failure(let error):
            failedToPrepare = failedToPrepare || phase == .preparing
            failure = failure ?? error
            return .more
        case .skipped:
            return failure == nil ? .outOfStep("a command was skipped without an error before it") : .more
        case .end: return receiveEnd()
        case .sync(let status):
            guard phase == .syncing || failure != nil else { return .outOfStep("a Sync came before the result") }
            return .done(status)
        case .copy: return .outOfStep("COPY was begun by query(); copyIn or copyOut is for that")
        }
    }

    private mutating func receive(_ output: Output) -> Progress {
        switch phase {
        case .preparing: return .more
        case .executing:
            guard self.output == nil else { return .outOfStep("two results for one command") }
            self.output = output
            return .more
        case .syncing: return .outOfStep("a result where a Sync was due")
        }
    }

    private mutating func receiveEnd() -> Progress {
        switch phase {
        case .preparing: phase = .executing
        case .executing: phase = .syncing
        case .syncing:
            // A commit that fails comes as an error with its own end. Without end, nothing would ever come.
            endsWhileSyncing += 1
            guard endsWhileSyncing <= 2 else { return .outOfStep("a Sync is missing") }
        }
        return .more
    }
}
