/// The outcome of a command, for those who wait for it.
typealias AppendOutcome = Result<AppendReceipt, AppendError>

/// The commands not yet answered, with the tasks that wait for each. ``Appender`` keeps this plain value behind a lock.
///
/// Tasks put their commands in themselves, so that the sender spends only a resumption on each.
struct AppendInbox {
    typealias Waiter = CheckedContinuation<AppendOutcome, Never>

    /// Only the sender calls `nextBatch` and the functions after it.
    var queue: AppendQueue<Waiter>
    private var sleeper: CheckedContinuation<Void, Never>?
    private(set) var isClosing = false
    var statistics = AppendStatistics()

    init(limits: AppendLimits) {
        queue = AppendQueue(limits: limits)
    }

    /// Admits a command.
    /// - Returns: the admission, nil if no more are admitted; and the sender, if it sleeps and must be resumed.
    mutating func admit(
        _ command: AppendCommand, _ waiter: Waiter
    ) -> (admission: AppendQueue<Waiter>.Admission?, sender: CheckedContinuation<Void, Never>?) {
        if isClosing { return (nil, nil) }
        let admission = queue.admit(command, waiter)
        if admission == .full { statistics.turnedAway += 1 }
        return (admission, admission == .queued ? takeSleeper() : nil)
    }

    /// Admits no more commands.
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
