import NIOConcurrencyHelpers

/// Messages from tasks to a connection, on their way to its event loop.
///
/// Many tasks may post before the loop gets round to it; they cost one wake-up together.
final class Mailbox: Sendable {
    private struct State {
        var messages: [Message] = []
        var isScheduled = false
        var lastID: CommandID = 0
        var load = 0
        /// When there was last nothing to answer, or an answer.
        var progress = ContinuousClock.Instant.now
        var isClosed = false
        var deadline: Duration
    }

    private let state: NIOLockedValueBox<State>

    /// - Parameter deadline: how long a command may take that names no time of its own.
    init(deadline: Duration) {
        state = NIOLockedValueBox(State(deadline: deadline))
    }

    /// How long a command may take that names no time of its own.
    var deadline: Duration {
        get { state.withLockedValue { $0.deadline } }
        set { state.withLockedValue { $0.deadline = newValue } }
    }

    /// Commands that have been posted and not answered.
    var load: Int { state.withLockedValue { $0.load } }

    var isClosed: Bool { state.withLockedValue { $0.isClosed } }

    /// The load, and whether no answer has come for longer than a short statement takes; nil when closed.
    func backlog(at now: ContinuousClock.Instant = .now) -> (load: Int, isStalled: Bool)? {
        state.withLockedValue { state in
            state.isClosed ? nil : (state.load, state.load > 0 && now - state.progress > .milliseconds(20))
        }
    }

    func makeID() -> CommandID {
        state.withLockedValue { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// True when the loop must be woken.
    func post(_ message: Message) -> Bool {
        state.withLockedValue { state in
            if message.isCommand {
                if state.load == 0 { state.progress = .now }
                state.load += 1
            }
            state.messages.append(message)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    func takeAll() -> [Message] {
        state.withLockedValue { state in
            state.isScheduled = false
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    /// Counts commands that no task has posted.
    func commandsStarted(_ count: Int) {
        state.withLockedValue { $0.load += count }
    }

    func commandsCompleted(_ count: Int) {
        state.withLockedValue { state in
            state.load -= count
            state.progress = .now
        }
    }

    func close() {
        state.withLockedValue { $0.isClosed = true }
    }
}

/// One wish.
enum Message: Sendable {
    case query(PipelineCommand, QueryContinuation)
    case exclusive(PipelineCommand, ExclusiveWork)
    case cancel(CommandID)
    case copyOutDemand(CommandID, ChunkContinuation)
    case copyOutAbandon(CommandID)
    case copyInWrite(CommandID, [UInt8], DoneContinuation)
    case copyInEnd(CommandID, failure: String?, RowsContinuation)
    case listen(channel: String, ListenerID, NotificationContinuation)
    case unlisten(ListenerID)
    case whenIdle(WaiterID, CheckedContinuation<Bool, Never>)
    case whenClosed(WaiterID, CheckedContinuation<Void, Never>)
    case stopWaiting(WaiterID)
    case close

    /// Whether it counts as load until it is answered.
    var isCommand: Bool {
        switch self {
        case .query, .exclusive: true
        default: false
        }
    }
}

typealias QueryContinuation = CheckedContinuation<Result<PostgresResult, PostgresError>, Never>
typealias RowsContinuation = CheckedContinuation<Result<Int, PostgresError>, Never>
typealias DoneContinuation = CheckedContinuation<Result<Void, PostgresError>, Never>
typealias ChunkContinuation = CheckedContinuation<Result<[UInt8]?, PostgresError>, Never>
typealias NotificationContinuation = AsyncThrowingStream<PostgresNotification, any Error>.Continuation
typealias ListenerID = UInt64
typealias WaiterID = UInt64
