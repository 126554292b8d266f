/// Decides which task runs, which waits and which is rejected; a value without tasks or clocks.
///
/// The next task is that of the client with the fewest running tasks; among these, verified accounts come first; among
/// these, the client that has used the least time; among equals, the task that came first. So clients that try again
/// and again do not delay one that tries once, and none begins a second task while another one with none waits.
///
/// Tasks are rejected in the opposite order, but first those of clients with more waiting tasks than they may have.
struct TurnQueue: Sendable {
    struct Waiter: Sendable {
        let id: Int
        /// nil if unknown; unknown callers share the turns of one client, without its limits.
        let client: String?
        /// Whether others come first: its account has no verified address.
        let isBehind: Bool
    }

    /// A task that gets no turn.
    struct Rejection: Sendable {
        let id: Int
        /// Whether other tasks of the same client caused it.
        let isOwn: Bool
    }

    enum Entry: Sendable {
        case begins
        /// The rejected task, if any, may be the new one.
        case waits(rejecting: Rejection?)
    }

    private let limits: TurnLimits
    private(set) var waiting: [Waiter] = []
    private(set) var running = 0
    private var active: [String: Int] = [:]
    private var history: TurnHistory

    init(_ limits: TurnLimits, at now: ContinuousClock.Instant) {
        self.limits = limits
        history = TurnHistory(since: now)
    }

    /// Runs a task at once if there is a place, else lets it wait.
    mutating func enter(_ waiter: Waiter, at now: ContinuousClock.Instant) -> Entry {
        history.advance(to: now)
        if running < limits.atOnce, mayRun(waiter) {
            begin(waiter)
            return .begins
        }
        waiting.append(waiter)
        if waiter.client != nil, waiting.count(where: { $0.client == waiter.client }) > limits.burstOfClient {
            return .waits(rejecting: reject(at: waiting.count - 1))
        }
        return .waits(rejecting: waiting.count > limits.burst ? makeRoom() : nil)
    }

    /// Rejects a task, if too many wait, when one has waited for ``TurnLimits/grace``.
    mutating func review(_ id: Int) -> Rejection? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        if surplus()[index] > 0 { return reject(at: index) }
        return waiting.count > limits.waiting ? makeRoom() : nil
    }

    /// Rejects a task that has waited for ``TurnLimits/longest``.
    mutating func expire(_ id: Int) -> Rejection? {
        waiting.firstIndex { $0.id == id }.map { index in
            let client = waiting.remove(at: index).client
            return Rejection(id: id, isOwn: client.map { active[$0] ?? 0 > 0 } ?? false)
        }
    }

    /// Removes a waiting task.
    /// - Returns: false if it does not wait.
    mutating func leave(_ id: Int) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Ends a running task.
    /// - Returns: the tasks that begin.
    mutating func end(
        _ client: String?, after time: Duration, at now: ContinuousClock.Instant
    ) -> [Int] {
        running -= 1
        let left = (active[client ?? ""] ?? 1) - 1
        active[client ?? ""] = left > 0 ? left : nil
        history.add(time, of: client ?? "", at: now)
        var begun: [Int] = []
        while running < limits.atOnce, let next = next() {
            let waiter = waiting.remove(at: next)
            begin(waiter)
            begun.append(waiter.id)
        }
        return begun
    }

    private mutating func begin(_ waiter: Waiter) {
        running += 1
        active[waiter.client ?? "", default: 0] += 1
    }

    private func mayRun(_ waiter: Waiter) -> Bool {
        waiter.client.map { active[$0] ?? 0 < limits.runningOfClient } ?? true
    }

    private func next() -> Int? {
        waiting.indices.filter { mayRun(waiting[$0]) }.min { rank($0) < rank($1) }
    }

    private func rank(_ index: Int) -> (Int, Int, Duration, Int) {
        let waiter = waiting[index]
        let client = waiter.client ?? ""
        return (active[client] ?? 0, waiter.isBehind ? 1 : 0, history.used(by: client), index)
    }

    /// For each waiting task, by how many its client exceeds its places with it.
    private func surplus() -> [Int] {
        var counts: [String: Int] = [:]
        return waiting.map { waiter in
            guard let client = waiter.client else { return 0 }
            counts[client, default: 0] += 1
            return max(0, counts[client, default: 0] - limits.waitingOfClient)
        }
    }

    private mutating func makeRoom() -> Rejection? {
        let surplus = surplus()
        return waiting.indices.max { (surplus[$0], rank($0)) < (surplus[$1], rank($1)) }.map { reject(at: $0) }
    }

    private mutating func reject(at index: Int) -> Rejection {
        let waiter = waiting.remove(at: index)
        let hasOthers = waiting.contains { $0.client == waiter.client } || active[waiter.client ?? ""] ?? 0 > 0
        return Rejection(id: waiter.id, isOwn: waiter.client != nil && hasOthers)
    }
}

/// The standard library does not compare nested tuples.
private func < (one: (Int, (Int, Int, Duration, Int)), other: (Int, (Int, Int, Duration, Int))) -> Bool {
    one.0 == other.0 ? one.1 < other.1 : one.0 < other.0
}
