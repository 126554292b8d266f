import DequeModule

/// Work that needs the connection for itself, and who waits for it to begin or to be done.
enum ExclusiveWork: Sendable {
    case script(String, RowsContinuation)
    case copyOut(String, DoneContinuation)
    case copyIn(String, DoneContinuation)

    var text: String {
        switch self {
        case .script(let text, _), .copyOut(let text, _), .copyIn(let text, _): text
        }
    }

    var purpose: SimpleMachine.Purpose {
        switch self {
        case .script: .script
        case .copyOut: .copyOut
        case .copyIn: .copyIn
        }
    }

    func fail(_ error: PostgresError) {
        switch self {
        case .script(_, let continuation): continuation.resume(returning: .failure(error))
        case .copyOut(_, let continuation), .copyIn(_, let continuation):
            continuation.resume(returning: .failure(error))
        }
    }

    /// Lets data flow; a script has no such moment.
    func begin() {
        switch self {
        case .script: break
        case .copyOut(_, let continuation), .copyIn(_, let continuation): continuation.resume(returning: .success(()))
        }
    }
}

/// Exclusive work, waiting or in progress. Each continuation is removed when it is resumed.
struct ExclusiveSession {
    /// One write of a COPY in.
    struct Write {
        var remaining: ArraySlice<UInt8>
        let continuation: DoneContinuation
    }

    let id: CommandID
    let text: String
    var machine: SimpleMachine
    /// Waits for the beginning (COPY) or the end (script).
    var starter: ExclusiveWork?
    /// The task that would end it is gone.
    var isOrphan = false
    /// The time by which the server must answer, or take or send data; nil while no task waits for that.
    private(set) var answerBy: ContinuousClock.Instant?
    private let stepLimit: Duration?

    // COPY out
    var demand = CopyOutDemand()
    var gathered: [UInt8] = []
    /// Bytes discarded since the loop was last left to other work.
    var discarded = 0
    var consumer: ChunkContinuation?

    // COPY in
    var writes = Deque<Write>()
    /// Taken by libpq, but perhaps not by the socket yet.
    var written: [DoneContinuation] = []
    /// libpq's buffer is full.
    var waitsForRoom = false
    /// The end that has been asked for: nil inside is success, text is the reason of a failure.
    var requestedEnd: String??
    var finisher: RowsContinuation?

    init(_ command: PipelineCommand, _ work: ExclusiveWork) {
        id = command.id
        text = work.text
        machine = SimpleMachine(work.purpose)
        starter = work
        answerBy = command.limit?.answerBy
        stepLimit = command.limit?.duration
    }

    /// Each step of a COPY has a deadline of its own, counted from the moment when a task begins to wait for it.
    mutating func updateDeadline() {
        answerBy = isAwaited ? answerBy ?? stepLimit.map { .now + $0 } : nil
    }

    private var isAwaited: Bool {
        starter != nil || consumer != nil || finisher != nil || !writes.isEmpty || !written.isEmpty
    }

    /// Whether to listen to the socket: during a COPY out only as the consumer demands.
    var isReading: Bool {
        machine.purpose != .copyOut || !machine.isCopying || demand.isReading
    }

    /// Fails every waiter.
    mutating func fail(_ error: PostgresError) {
        starter?.fail(error)
        starter = nil
        consumer?.resume(returning: .failure(error))
        consumer = nil
        for write in writes { write.continuation.resume(returning: .failure(error)) }
        writes = []
        for continuation in written { continuation.resume(returning: .failure(error)) }
        written = []
        finisher?.resume(returning: .failure(error))
        finisher = nil
    }
}

/// Decides when a COPY out may be read: only while its consumer asks, so that a slow one holds the server back through
/// TCP instead of filling our memory.
struct CopyOutDemand {
    /// How much is gathered for one step of the consumer, in bytes.
    static let chunkSize = 1 << 16

    private enum State {
        /// The consumer is busy with the last chunk.
        case paused
        /// The consumer waits.
        case demanded
        /// The consumer has gone: read on and throw away, or the connection could not be used again.
        case abandoned
    }

    private var state = State.paused

    /// Whether there is a reason to read.
    var isReading: Bool { state != .paused }
    var isAbandoned: Bool { state == .abandoned }

    mutating func demand() {
        if state == .paused { state = .demanded }
    }

    mutating func abandon() {
        state = .abandoned
    }

    /// Whether `gathered` bytes are to be handed over now; `more` says whether libpq has another message ready.
    mutating func shouldDeliver(gathered: Int, more: Bool) -> Bool {
        guard state == .demanded, gathered > 0, gathered >= Self.chunkSize || !more else { return false }
        state = .paused
        return true
    }
}
