import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Runs costly work of a few tasks at a time. Clients take turns, in the order of ``TurnQueue``.
package final class FairTurns: Sendable {
    /// Too many tasks are waiting, or the task has waited for too long.
    package struct Rejection: Error, Hashable {
        /// Whether other tasks of the same client caused it.
        package let isOwn: Bool
    }

    /// The right to run. It ends with the object, if not before.
    package final class Turn: Sendable {
        private let turns: FairTurns
        private let client: String?
        private let begun: ContinuousClock.Instant
        private let isOver = NIOLockedValueBox(false)

        fileprivate init(_ turns: FairTurns, _ client: String?) {
            (self.turns, self.client, begun) = (turns, client, turns.clock.now())
        }

        deinit { end() }

        /// Lets the next task run.
        package func end() {
            let wasOver = isOver.withLockedValue { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver { turns.pass(from: client, since: begun) }
        }
    }

    private struct State {
        var queue: TurnQueue
        var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
        var lastID = 0
    }

    private let limits: TurnLimits
    private let clock: TurnClock
    private let state: NIOLockedValueBox<State>

    init(_ limits: TurnLimits, clock: TurnClock = TurnClock()) {
        (self.limits, self.clock) = (limits, clock)
        state = NIOLockedValueBox(State(queue: TurnQueue(limits, at: clock.now())))
    }

    var waiting: Int { state.withLockedValue { $0.queue.waiting.count } }
    var running: Int { state.withLockedValue { $0.queue.running } }

    /// Runs work when its turn comes.
    /// - Throws: as ``begin(by:isBehind:)``; what `body` throws.
    package func take<Result>(
        by client: String?, isBehind: Bool = false, _ body: () async throws -> Result
    ) async throws -> Result {
        let turn = try await begin(by: client, isBehind: isBehind)
        defer { turn.end() }
        return try await body()
    }

    /// Waits for a turn.
    /// - Parameters:
    ///   - client: nil if unknown; unknown callers share the turns of one client, without the limits of one.
    ///   - isBehind: whether the turns of others come first.
    /// - Throws: ``Rejection``; `CancellationError` when the task is cancelled before its turn.
    package func begin(by client: String?, isBehind: Bool = false) async throws -> Turn {
        let id = state.withLockedValue { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(TurnQueue.Waiter(id: id, client: client, isBehind: isBehind), continuation)
            }
        } onCancel: {
            leave(id)
        }
        return Turn(self, client)
    }

    private func enter(_ waiter: TurnQueue.Waiter, _ continuation: CheckedContinuation<Void, any Error>) {
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        let entry = state.withLockedValue { state in
            let entry = state.queue.enter(waiter, at: clock.now())
            if case .waits = entry { state.continuations[waiter.id] = continuation }
            return entry
        }
        switch entry {
        case .begins: continuation.resume()
        case .waits(let rejection):
            reject(rejection)
            // It may have been cancelled before it waited.
            if Task.isCancelled { leave(waiter.id) }
            watch(waiter.id)
        }
    }

    /// Schedules the checks of a waiting task.
    private func watch(_ id: Int) {
        clock.later(limits.grace) { [weak self] in self?.rejectIfNeeded { $0.review(id) } }
        guard let longest = limits.longest else { return }
        clock.later(longest) { [weak self] in self?.rejectIfNeeded { $0.expire(id) } }
    }

    private func rejectIfNeeded(_ choose: (inout TurnQueue) -> TurnQueue.Rejection?) {
        reject(state.withLockedValue { choose(&$0.queue) })
    }

    private func reject(_ rejection: TurnQueue.Rejection?) {
        guard let rejection else { return }
        resume(rejection.id, .failure(Rejection(isOwn: rejection.isOwn)))
    }

    private func leave(_ id: Int) {
        if state.withLockedValue({ $0.queue.leave(id) }) { resume(id, .failure(CancellationError())) }
    }

    private func pass(from client: String?, since begun: ContinuousClock.Instant) {
        let now = clock.now()
        let next = state.withLockedValue { $0.queue.end(client, after: now - begun, at: now) }
        for id in next { resume(id, .success(())) }
    }

    private func resume(_ id: Int, _ result: Result<Void, any Error>) {
        state.withLockedValue { $0.continuations.removeValue(forKey: id) }?.resume(with: result)
    }
}

/// The clock of turns; tests use one of their own.
struct TurnClock: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Runs a closure after a delay.
    var later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { duration, work in
        MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: TimeAmount(duration), work)
    }
}

/// The client for which a task works.
package enum TurnClient {
    /// Its address, as quotas count it; nil outside requests that came through a socket.
    @TaskLocal package static var address: String?
}
