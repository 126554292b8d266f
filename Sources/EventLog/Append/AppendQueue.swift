import DequeModule
package import FoundationEssentials
package import Postgres

/// The order in which commands go to the log, as a plain value: it neither waits nor sends.
///
/// Natural batching: while one call is in flight, commands gather; when it returns they go together. No timer.
/// A batch holds at most one command a stream and one a reservation, so that commands of a batch need not see each
/// other; a stream's commands keep their order. A command whose id is already queued or in flight joins it.
/// A batch that the database rejects is halved until the culprit is alone.
///
/// A waiter receives the outcome of a command.
package struct AppendQueue<Waiter: Sendable>: Sendable {
    struct Entry: Sendable {
        var command: AppendCommand
        var waiters: [Waiter]
        /// When the first of its waiters came.
        var admitted: ContinuousClock.Instant
        /// It was sent, and no answer came: it may be in the log.
        var isUncertain = false
    }

    /// The outcome of admitting a command.
    package enum Admission: Equatable, Sendable {
        case queued
        /// The same request is queued or in flight: its outcome is this one's.
        case joined
        /// Another request with the same id is queued or in flight: once it is answered, admit this one again.
        case follows
        case full
    }

    private let limits: AppendLimits
    /// Every command not yet answered, by its id.
    private var entries: [UUID: Entry] = [:]
    /// Their total size.
    private var bytes = 0
    private var waiting: Deque<UUID> = []
    private var inFlight: [UUID] = []
    /// Halves of a batch, or a batch that is sent again; the last goes before anything else.
    private var retries: [[UUID]] = []

    package init(limits: AppendLimits) {
        self.limits = limits
    }

    /// Commands not yet answered.
    package var depth: Int { entries.count }

    /// Admits a command, unless the queue is full.
    package mutating func admit(
        _ command: AppendCommand, _ waiter: Waiter, at now: ContinuousClock.Instant = .now
    ) -> Admission {
        if let known = entries[command.id]?.command {
            follow(command.id, waiter, at: now)
            return known.stream == command.stream && known.fingerprint == command.fingerprint ? .joined : .follows
        }
        guard entries.count < limits.queuedCommands, bytes + command.byteCount <= limits.queuedBytes || entries.isEmpty
        else { return .full }
        bytes += command.byteCount
        entries[command.id] = Entry(command: command, waiters: [waiter], admitted: now)
        waiting.append(command.id)
        return .queued
    }

    /// Adds a waiter for the outcome of the command with this id; false when there is no such command.
    @discardableResult
    package mutating func follow(_ id: UUID, _ waiter: Waiter, at now: ContinuousClock.Instant = .now) -> Bool {
        if entries[id]?.waiters.isEmpty == true { entries[id]?.admitted = now }
        return entries[id]?.waiters.append(waiter) != nil
    }

    /// The commands to send now; nil when nothing waits or a batch is in flight.
    package mutating func nextBatch() -> [AppendCommand]? {
        guard inFlight.isEmpty else { return nil }
        inFlight = retries.popLast() ?? gather()
        return inFlight.isEmpty ? nil : inFlight.compactMap { entries[$0]?.command }
    }

    private mutating func gather() -> [UUID] {
        var batch: [UUID] = []
        var passedOver: [UUID] = []
        var streams: Set<UUID> = []
        var reservations: Set<AppendCommand.Reservation> = []
        var bytes = 0
        // However many wait on one stream, gathering takes a bounded time: those who append wait for it.
        while batch.count < limits.batchCommands, passedOver.count < limits.batchCommands, let id = waiting.first,
            let command = entries[id]?.command
        {
            let isSeparate = !streams.contains(command.stream) && reservations.isDisjoint(with: command.reservations)
            if isSeparate {
                bytes += command.byteCount
                if bytes > limits.batchBytes, !batch.isEmpty { break }
                batch.append(id)
                reservations.formUnion(command.reservations)
            } else {
                passedOver.append(id)
            }
            streams.insert(command.stream)
            waiting.removeFirst()
        }
        waiting.prepend(contentsOf: passedOver)
        return batch
    }

    /// The batch in flight was answered. Returns the waiters of each command, in the batch's order.
    package mutating func complete() -> [[Waiter]] {
        defer { inFlight = [] }
        return inFlight.map { remove($0) }
    }

    private mutating func remove(_ id: UUID) -> [Waiter] {
        guard let entry = entries.removeValue(forKey: id) else { return [] }
        bytes -= entry.command.byteCount
        return entry.waiters
    }

    /// The database rejected the batch in flight because of its content. A batch of one returns its waiters: it is the
    /// culprit. A larger one is halved; its halves go next, the first half first.
    package mutating func refuse() -> [Waiter]? {
        guard inFlight.count == 1 else {
            halve()
            return nil
        }
        defer { inFlight = [] }
        return remove(inFlight[0])
    }

    /// The batch in flight goes next, in two halves.
    package mutating func halve() {
        let middle = inFlight.count / 2
        for half in [inFlight[middle...], inFlight[..<middle]] where !half.isEmpty { retries.append(Array(half)) }
        inFlight = []
    }

    /// The batch in flight goes next: its ids decide which commands are new.
    /// - Parameter isUncertain: whether it may have been appended.
    package mutating func sendAgain(isUncertain: Bool) {
        if isUncertain { for id in inFlight { entries[id]?.isUncertain = true } }
        if !inFlight.isEmpty { retries.append(inFlight) }
        inFlight = []
    }

    /// Gives up every command. Returns the waiters of commands that this queue has not appended (an earlier process or
    /// call may have), and those of commands whose outcome is unknown.
    package mutating func abandon() -> (absent: [Waiter], unknown: [Waiter]) {
        let sent = retries.flatMap { $0 } + inFlight
        defer { (entries, bytes, waiting, inFlight, retries) = ([:], 0, [], [], []) }
        return waiters(of: waiting + sent)
    }

    /// Takes the waiters of the commands admitted before a moment, as ``abandon()`` does. A command that may be in the
    /// log or on its way there stays, without waiters, until its call is answered; the others are given up.
    package mutating func expire(before moment: ContinuousClock.Instant) -> (absent: [Waiter], unknown: [Waiter]) {
        let overdue = entries.filter { $0.value.admitted < moment && !$0.value.waiters.isEmpty }
        if overdue.isEmpty { return ([], []) }
        let sent = Set(inFlight)
        var (absent, unknown): ([Waiter], [Waiter]) = ([], [])
        for (id, entry) in overdue {
            if sent.contains(id) || entry.isUncertain {
                unknown += entry.waiters
                entries[id]?.waiters = []
            } else {
                absent += remove(id)
            }
        }
        waiting.removeAll { entries[$0] == nil }
        retries = retries.map { batch in batch.filter { entries[$0] != nil } }.filter { !$0.isEmpty }
        return (absent, unknown)
    }

    /// The database rejected the batch in flight whatever its content. Returns the waiters as ``abandon()`` does.
    package mutating func reject() -> (absent: [Waiter], unknown: [Waiter]) {
        let waiters = waiters(of: inFlight)
        _ = complete()
        return waiters
    }

    private func waiters(of ids: [UUID]) -> (absent: [Waiter], unknown: [Waiter]) {
        let all = ids.compactMap { entries[$0] }
        return (all.filter { !$0.isUncertain }.flatMap(\.waiters), all.filter(\.isUncertain).flatMap(\.waiters))
    }
}

/// The bounds of batching and queueing.
package struct AppendLimits: Sendable {
    /// Commands in one call, at most.
    package var batchCommands = 1_000
    /// Bytes in one call, at most (a single larger command travels alone).
    package var batchBytes = 2 << 20
    /// Most commands waiting; more are rejected.
    package var queuedCommands = 10_000
    /// Most bytes of the commands waiting; more are rejected.
    package var queuedBytes = 64 << 20
    /// Bytes of a single command, at most.
    package var commandBytes = 1 << 20
    /// The time for which appending may fail before every waiting command is given up, from the first failed call.
    package var timeout = Duration.seconds(20)
    /// The time after which a command is answered even if its outcome is unknown. Longer than ``timeout``, after which
    /// the answer is more certain.
    var answerTime: Duration { timeout * 1.1 }

    /// The defaults, which suit one process and one database, with some changed.
    package init(_ change: (inout AppendLimits) -> Void = { _ in }) {
        change(&self)
    }
}

/// Counters of an appender since its start.
package struct AppendStatistics: Sendable {
    /// Calls that came back with an outcome for each of their commands.
    package var batches = 0
    /// Commands in those calls.
    package var commands = 0
    /// Events recorded for the first time.
    package var events = 0
    /// Commands that had been appended before.
    package var repeats = 0
    /// Commands that were answered with an error, such as another version or a reservation held elsewhere.
    package var conflicts = 0
    /// Commands rejected because the queue was full.
    package var turnedAway = 0
    /// Batches that the database rejected as a whole.
    package var rejectedBatches = 0
    /// Times a batch had to be sent again, after a lost connection or a passing failure.
    package var retriedBatches = 0
    /// Time spent in successful calls.
    package var time: Duration = .zero
    /// The SQLSTATE with which the database rejected the last call; nil if it did not.
    package var rejection: SQLState?

    mutating func record(
        _ outcomes: [Result<AppendReceipt, AppendError>], batch: [AppendCommand], took: Duration
    ) {
        rejection = nil
        batches += 1
        commands += batch.count
        time += took
        for (outcome, command) in zip(outcomes, batch) {
            switch outcome {
            case .success(let receipt) where receipt.isRepeat: repeats += 1
            case .success: events += command.events.count
            case .failure: conflicts += 1
            }
        }
    }
}
