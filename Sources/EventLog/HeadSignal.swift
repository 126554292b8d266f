internal import NIOConcurrencyHelpers

/// The highest position this process knows to be committed, and the tasks that wait for a higher one.
///
/// Only a hint for followers: they also poll the log.
package final class HeadSignal: Sendable {
    private struct State {
        var position: Int64 = 0
        var nextID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// Starts at position 0.
    package init() {}

    /// The highest position announced.
    package var position: Int64 { state.withLockedValue { $0.position } }

    /// Announces that everything up to `position` is committed, and wakes the waiting tasks.
    package func announce(_ position: Int64) {
        let woken = state.withLockedValue { state -> [CheckedContinuation<Void, Never>] in
            guard position > state.position else { return [] }
            state.position = position
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in woken { waiter.resume() }
    }

    /// Returns when a position above `position` has been announced, or the task is cancelled.
    package func wait(beyond position: Int64) async {
        let id = state.withLockedValue { state -> UInt64 in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLockedValue { state -> Bool in
                    if state.position > position || Task.isCancelled { return true }
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

extension HeadSignal {
    /// Returns when a position above `position` has been announced, `interval` has passed, or the task is cancelled.
    package func wait(beyond position: Int64, atMost interval: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(beyond: position) }
            group.addTask { try? await Task.sleep(for: interval) }
            await group.next()
            group.cancelAll()
        }
    }
}
