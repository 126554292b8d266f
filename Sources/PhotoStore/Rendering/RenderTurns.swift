import Foundation
import Synchronization

/// Lets a few tasks work at once; the rest wait in the order of their arrival, up to a limit.
final class RenderTurns: Sendable {
    private struct State {
        var free: Int
        var waiting: [(id: UUID, turn: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Mutex<State>
    private let queue: Int

    init(atOnce: Int, queue: Int) {
        state = Mutex(State(free: atOnce))
        self.queue = queue
    }

    /// Waits for a turn, which ``end()`` gives back.
    /// - Throws: ``RenderError/busy`` where too many wait already; `CancellationError`.
    func take() async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.free > 0 {
                        state.free -= 1
                        return .success(())
                    }
                    guard state.waiting.count < queue else { return .failure(RenderError.busy) }
                    state.waiting.append((id, turn))
                    return nil
                }
                if let outcome { turn.resume(with: outcome) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Gives up a place in the queue.
    private func leave(_ id: UUID) {
        let turn = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
        }
        turn?.resume(throwing: CancellationError())
    }

    func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().turn }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
