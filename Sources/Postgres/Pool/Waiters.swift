import NIOConcurrencyHelpers

/// A state machine with the continuations of those who wait for it, behind one lock.
///
/// The machine decides who is served; here everyone who waits gets exactly one answer: a grant, a timeout, a
/// cancellation or the end of the pool.
final class Waiters<Machine: Sendable, Grant: Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<Result<Grant, PostgresError>, Never>

    private struct State {
        var machine: Machine
        var continuations: [WaiterID: Continuation] = [:]
        var lastID: WaiterID = 0
    }

    private let state: NIOLockedValueBox<State>
    private let stopWaiting: @Sendable (inout Machine, WaiterID) -> Bool

    /// - Parameter stopWaiting: takes a waiter out of the machine; false when it is not in there.
    init(_ machine: Machine, stopWaiting: @escaping @Sendable (inout Machine, WaiterID) -> Bool) {
        state = NIOLockedValueBox(State(machine: machine))
        self.stopWaiting = stopWaiting
    }

    func withMachine<Value>(_ body: (inout Machine) -> Value) -> Value {
        state.withLockedValue { body(&$0.machine) }
    }

    /// Asks the machine; nil from `ask` means to wait, until `deadline` at most.
    ///
    /// - Throws: `timeout` when that has passed, or ``PostgresError/Kind/cancelled``.
    func wait(
        until deadline: ContinuousClock.Instant, timeout: @escaping @Sendable () -> PostgresError,
        _ ask: @Sendable (inout Machine, WaiterID) -> Result<Grant, PostgresError>?
    ) async throws(PostgresError) -> Grant {
        let id = state.withLockedValue { state in
            state.lastID += 1
            return state.lastID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Result<Grant, PostgresError>? = state.withLockedValue { state in
                    let answer = ask(&state.machine, id)
                    if answer == nil { state.continuations[id] = continuation }
                    return answer
                }
                if let answer { return continuation.resume(returning: answer) }
                expire(id, at: deadline, timeout)
                if Task.isCancelled { refuse(id, .cancelledWhileWaiting) }
            }
        } onCancel: {
            refuse(id, .cancelledWhileWaiting)
        }
        return try result.get()
    }

    private func expire(
        _ id: WaiterID, at deadline: ContinuousClock.Instant, _ timeout: @escaping @Sendable () -> PostgresError
    ) {
        EventLoops.execute(at: deadline) { [weak self] in
            self?.refuse(id, timeout())
        }
    }

    /// Fails a waiter.
    private func refuse(_ id: WaiterID, _ error: @autoclosure () -> PostgresError) {
        let continuation: Continuation? = state.withLockedValue { state in
            guard stopWaiting(&state.machine, id) else { return nil }
            return state.continuations.removeValue(forKey: id)
        }
        continuation?.resume(returning: .failure(error()))
    }

    /// Changes the machine and answers those it names.
    func update<Value>(
        _ change: (inout Machine) -> (answers: [(WaiterID, Result<Grant, PostgresError>)], value: Value)
    ) -> Value {
        let (answers, value) = state.withLockedValue { state in
            let (answers, value) = change(&state.machine)
            return (answers.map { (state.continuations.removeValue(forKey: $0.0), $0.1) }, value)
        }
        for (continuation, result) in answers { continuation?.resume(returning: result) }
        return value
    }
}

extension PostgresError {
    static var cancelledWhileWaiting: PostgresError {
        PostgresError(.cancelled, "the task was cancelled while it waited for a connection", wasSent: false)
    }

    static var poolIsClosed: PostgresError {
        PostgresError(.closed, "the pool is shut down", wasSent: false)
    }
}
