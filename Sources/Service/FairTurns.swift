import NIOConcurrencyHelpers

/// Runs costly work of a few tasks at a time. Waiting tasks take turns by client: the next one is that of the client
/// with the fewest running tasks, among these with the fewest turns in the current minute, and among equals the one
/// that came first. So clients that try again and again do not delay one that tries once, and none begins a second task
/// while another one waits with none.
final class FairTurns: Sendable {
    /// Too many tasks are waiting.
    struct Full: Error {}

    private struct Waiter {
        let id: Int
        let client: String
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var running = 0
        /// Running tasks by client.
        var active: [String: Int] = [:]
        var waiting: [Waiter] = []
        /// Turns in the current minute.
        var turns: [String: Int] = [:]
        var since: ContinuousClock.Instant
        var nextID = 0

        /// Whether a waiting task comes before another.
        func precedes(_ one: Int, _ other: Int) -> Bool { rank(one) < rank(other) }

        private func rank(_ index: Int) -> (Int, Int, Int) {
            let client = waiting[index].client
            return (active[client] ?? 0, turns[client] ?? 0, index)
        }

        mutating func end(_ client: String) {
            let left = (active[client] ?? 1) - 1
            active[client] = left > 0 ? left : nil
        }
    }

    private let atOnce: Int
    private let limit: Int
    private let perClient: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - waiting: the most waiting tasks in all.
    ///   - perClient: the most waiting tasks of one client.
    init(
        atOnce: Int, waiting: Int, perClient: Int = 8, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.atOnce = atOnce
        limit = waiting
        self.perClient = perClient
        self.now = now
        state = NIOLockedValueBox(State(since: now()))
    }

    /// The number of tasks that wait.
    var waiting: Int { state.withLockedValue { $0.waiting.count } }

    /// Runs work when its turn comes.
    /// - Parameter client: nil if unknown; unknown callers share the turns of one client, without the limit of one.
    /// - Throws: ``Full``; `CancellationError` when the task is cancelled before its turn; what `body` throws.
    func take<Result>(by client: String?, _ body: () async throws -> Result) async throws -> Result {
        try await wait(client ?? "", isKnown: client != nil)
        defer { pass(from: client ?? "") }
        return try await body()
    }

    private func wait(_ client: String, isKnown: Bool) async throws {
        let id = state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(Waiter(id: id, client: client, continuation: continuation), isKnown)
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Begins at once, waits, or fails. A full queue makes room by rejecting a task of a client that has had more
    /// turns.
    private func enter(_ waiter: Waiter, _ isKnown: Bool) {
        let rejected: Waiter? = state.withLockedValue { state in
            if now() - state.since > .seconds(60) { (state.turns, state.since) = ([:], now()) }
            if Task.isCancelled { return waiter }
            if state.running < atOnce {
                state.running += 1
                begin(waiter, &state)
                return nil
            }
            if isKnown, state.waiting.count(where: { $0.client == waiter.client }) >= perClient { return waiter }
            state.waiting.append(waiter)
            return state.waiting.count > limit ? removeBusiest(&state) : nil
        }
        rejected?.continuation.resume(throwing: Task.isCancelled ? CancellationError() : Full())
    }

    private func begin(_ waiter: Waiter, _ state: inout State) {
        state.turns[waiter.client, default: 0] += 1
        state.active[waiter.client, default: 0] += 1
        waiter.continuation.resume()
    }

    /// Removes the last of those whose clients have had the most turns.
    private func removeBusiest(_ state: inout State) -> Waiter? {
        state.waiting.indices.max { state.precedes($0, $1) }.map { state.waiting.remove(at: $0) }
    }

    private func pass(from client: String) {
        state.withLockedValue { state in
            state.end(client)
            guard let next = state.waiting.indices.min(by: { state.precedes($0, $1) }) else {
                state.running -= 1
                return
            }
            begin(state.waiting.remove(at: next), &state)
        }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLockedValue { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
