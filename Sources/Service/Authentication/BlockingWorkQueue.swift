internal import DequeModule
internal import Dispatch
internal import NIOConcurrencyHelpers

/// Runs work that blocks a thread for long, off Swift's cooperative pool, a few pieces at once; others wait in order, and
/// when too many wait, more are refused.
final class BlockingWorkQueue: Sendable {
    /// Too many wait already.
    struct Full: Error {}

    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var running = 0
        var nextID: UInt64 = 0
        var waiting: Deque<Waiter> = []
    }

    private enum Admission {
        case admitted
        case waits
        case refused(any Error)
    }

    private let width: Int
    private let longestQueue: Int
    private let threads: DispatchQueue
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - width: how many pieces run at once, each on a thread of its own.
    ///   - longestQueue: how many more may wait.
    init(label: String, width: Int, longestQueue: Int) {
        self.width = width
        self.longestQueue = longestQueue
        threads = DispatchQueue(label: label, attributes: .concurrent)
    }

    /// How many pieces run and how many wait.
    var load: (running: Int, waiting: Int) {
        state.withLockedValue { ($0.running, $0.waiting.count) }
    }

    /// Runs a piece of work when its turn comes. Once begun it runs to its end, also when the task is cancelled.
    ///
    /// - Throws: ``Full``; `CancellationError` when the task is cancelled before the turn comes; what `work` throws.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await withCheckedThrowingContinuation { continuation in
            threads.async {
                continuation.resume(with: Swift.Result(catching: work))
            }
        }
    }

    private func enter() async throws {
        let id = state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch admit(Waiter(id: id, continuation: continuation)) {
                case .admitted: continuation.resume()
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
            if state.running < width {
                state.running += 1
                return .admitted
            }
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
    private func leave() {
        let next = state.withLockedValue { state in
            let next = state.waiting.popFirst()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.continuation.resume()
    }
}
