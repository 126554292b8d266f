import EventLog
import NIOConcurrencyHelpers

/// The next thing that a stream of notifications does.
package enum EventStep: Hashable, Sendable {
    /// There are notifications with higher numbers.
    case news
    /// Show that the connection is alive.
    case heartbeat
    /// The session has ended, the service stops, or the client has gone.
    case end
}

/// An open stream of an account's notifications. It counts as open until it is released.
package final class EventStream: Sendable {
    let mailbox: EventMailbox
    private let release: @Sendable () -> Void

    init(_ mailbox: EventMailbox, release: @escaping @Sendable () -> Void) {
        (self.mailbox, self.release) = (mailbox, release)
    }

    deinit { release() }

    /// Waits until there is something to do. Only one task may wait.
    /// - Parameter number: of the last notification that was sent.
    package func next(after number: Int) async -> EventStep {
        await mailbox.next(after: number)
    }

    /// A way to end the stream, which does not keep it open.
    package var ending: @Sendable () -> Void {
        { [mailbox] in mailbox.end() }
    }
}

/// The news for a stream that it has not seen yet. However slowly its client reads, it does not grow.
final class EventMailbox: Sendable {
    private struct State {
        var newest = 0
        var isBeating = false
        var hasEnded = false
        var waiting: (after: Int, continuation: CheckedContinuation<EventStep, Never>)?

        /// Takes the next step; nil if there is none.
        mutating func take(after number: Int) -> EventStep? {
            if hasEnded { return .end }
            if newest > number { return .news }
            guard isBeating else { return nil }
            isBeating = false
            return .heartbeat
        }

        /// The task that waits, if there is a step for it.
        mutating func wake() -> (CheckedContinuation<EventStep, Never>, EventStep)? {
            guard let waiting, let step = take(after: waiting.after) else { return nil }
            self.waiting = nil
            return (waiting.continuation, step)
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Takes the number of the account's newest notification.
    func announce(newest number: Int) {
        change { $0.newest = max($0.newest, number) }
    }

    func beat() {
        change { $0.isBeating = true }
    }

    func end() {
        change { $0.hasEnded = true }
    }

    /// Also returns, with the end, when the task is cancelled.
    func next(after number: Int) async -> EventStep {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let step = state.withLockedValue { state -> EventStep? in
                    if Task.isCancelled { return .end }
                    if let step = state.take(after: number) { return step }
                    state.waiting = (number, continuation)
                    return nil
                }
                if let step { continuation.resume(returning: step) }
            }
        } onCancel: {
            end()
        }
    }

    private func change(_ make: (inout State) -> Void) {
        let woken = state.withLockedValue { state in
            make(&state)
            return state.wake()
        }
        if let (continuation, step) = woken { continuation.resume(returning: step) }
    }
}
