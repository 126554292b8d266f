internal import DequeModule

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

    /// Tells that data may flow; a script has no such moment.
    func begin() {
        switch self {
        case .script: break
        case .copyOut(_, let continuation), .copyIn(_, let continuation): continuation.resume(returning: .success(()))
        }
    }
}

/// The exclusive work under way. Each continuation in it is taken out when it is resumed.
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
    /// Nobody is there any more who could end it.
    var isOrphan = false

    // COPY out
    var demand = CopyOutDemand()
    var gathered: [UInt8] = []
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

    init(_ id: CommandID, _ work: ExclusiveWork) {
        self.id = id
        text = work.text
        machine = SimpleMachine(work.purpose)
        starter = work
    }

    /// Whether to listen to the socket: during a COPY out only as the consumer demands.
    var isReading: Bool {
        machine.purpose != .copyOut || !machine.isCopying || demand.isReading
    }

    /// Tells everybody who waits.
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
