internal import DequeModule
internal import Dispatch
internal import NIOConcurrencyHelpers

/// Runs work that keeps a thread busy for long, off Swift's cooperative pool, a few pieces at once; others wait in
/// order, and when too many wait, more are refused.
///
/// Each piece runs on a serial dispatch queue. A concurrent one would not do: Dispatch runs it on the threads that
/// Swift's tasks run on, as many as there are processors, so that work on all of them would stop every task.
final class BlockingWorkQueue: Sendable {
    /// Too many wait already.
    struct Full: Error {}

    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<DispatchQueue, any Error>
    }

    private struct State {
        var idle: [DispatchQueue]
        var nextID: UInt64 = 0
        var waiting: Deque<Waiter> = []
    }

    private enum Admission {
        case admitted(to: DispatchQueue)
        case waits
        case refused(any Error)
    }

    private let width: Int
    private let longestQueue: Int
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - width: how many pieces run at once, each on a thread of its own; at least one.
    ///   - longestQueue: how many more may wait.
    init(label: String, width: Int, longestQueue: Int) {
        self.width = width
        self.longestQueue = longestQueue
        state = NIOLockedValueBox(State(idle: (1...width).map { DispatchQueue(label: "\(label).\($0)") }))
    }

    /// How many pieces run and how many wait.
    var load: (running: Int, waiting: Int) {
        state.withLockedValue { (width - $0.idle.count, $0.waiting.count) }
    }

    /// Runs a piece of work when its turn comes. Once begun it runs to its end, also when the task is cancelled.
    ///
    /// - Throws: ``Full``; `CancellationError` when the task is cancelled before the turn comes; what `work` throws.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        let thread = try await enter()
        defer { leave(thread) }
        return try await withCheckedThrowingContinuation { continuation in
            thread.async {
                continuation.resume(with: Swift.Result(catching: work))
            }
        }
    }

    private func enter() async throws -> DispatchQueue {
        let id = state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch admit(Waiter(id: id, continuation: continuation)) {
                case .admitted(to: let thread): continuation.resume(returning: thread)
                case .waits: break
                case .refused(let error): continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            abandon(id)
        }
    }

    private func admit(_ waiter: Waiter) -> Admission {
        state.withLockedValue { state in
            // Looked at under the lock: a cancellation that comes later finds the waiter in the queue.
            if Task.isCancelled { return .refused(CancellationError()) }
            if let thread = state.idle.popLast() { return .admitted(to: thread) }
            guard state.waiting.count < longestQueue else { return .refused(Full()) }
            state.waiting.append(waiter)
            return .waits
        }
    }

    private func abandon(_ id: UInt64) {
        let waiter = state.withLockedValue { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    /// Hands the place on to whoever has waited longest.
    private func leave(_ thread: DispatchQueue) {
        let next = state.withLockedValue { state in
            let next = state.waiting.popFirst()
            if next == nil { state.idle.append(thread) }
            return next
        }
        next?.continuation.resume(returning: thread)
    }
}
