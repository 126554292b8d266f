/// The outcome of a command, for those who wait for it.
typealias AppendOutcome = Result<AppendReceipt, AppendError>

/// The commands not yet answered, with those who wait for each, as a plain value behind a lock.
///
/// Tasks put commands in themselves, and each is resumed on the thread it came from, so that neither takes any time of
/// the one that sends.
struct AppendInbox {
    typealias Waiter = CheckedContinuation<AppendOutcome, Never>

    /// For the one that sends: its functions from `nextBatch` on.
    var queue: AppendQueue<Waiter>
    private var sleeper: CheckedContinuation<Void, Never>?
    private(set) var isClosing = false
    var statistics = AppendStatistics()

    init(limits: AppendLimits) {
        queue = AppendQueue(limits: limits)
    }

    /// Takes a command in, or says why not.
    /// - Returns: also the sender, to be resumed if it sleeps.
    mutating func admit(
        _ command: AppendCommand, _ waiter: Waiter
    ) -> (rejection: AppendError?, sender: CheckedContinuation<Void, Never>?) {
        if isClosing { return (.closed, nil) }
        switch queue.admit(command, waiter) {
        case .queued, .joined: return (nil, takeSleeper())
        case .full:
            statistics.turnedAway += 1
            return (.queueFull, nil)
        case .differentRequest: return (.differentRequest, nil)
        }
    }

    /// Takes nothing more in.
    mutating func close() -> CheckedContinuation<Void, Never>? {
        isClosing = true
        return takeSleeper()
    }

    private mutating func takeSleeper() -> CheckedContinuation<Void, Never>? {
        defer { sleeper = nil }
        return sleeper
    }

    /// False when there is something to do already.
    mutating func sleep(_ sender: CheckedContinuation<Void, Never>) -> Bool {
        guard queue.depth == 0, !isClosing else { return false }
        sleeper = sender
        return true
    }
}
