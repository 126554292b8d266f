import NIOConcurrencyHelpers

/// Wakes the tasks that wait for a change.
package final class Signal: Sendable {
    private struct State {
        var nextID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Wakes the waiting tasks. The change is made before.
    package func notify() {
        let woken = state.withLockedValue { state in
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in woken { waiter.resume() }
    }

    /// Returns at the next notification or when the task is cancelled; at once if the change has been made.
    /// - Parameter isMade: whether the change has been made. Must not wait for this signal or notify it.
    package func wait(unless isMade: @Sendable () -> Bool) async {
        let id = state.withLockedValue { state -> UInt64 in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLockedValue { state -> Bool in
                    if isMade() || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLockedValue { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
