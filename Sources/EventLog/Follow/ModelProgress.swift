import NIOConcurrencyHelpers

/// The progress of each read model as known to this process, and the requests that wait for more to read their own
/// writes.
package final class ModelProgress: Sendable {
    private struct Waiter {
        var position: Int64
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// The reason why a model's rows do not reflect the log.
    package enum Fault: Sendable, Hashable {
        /// Folding has failed more than once in a row.
        case failing
        /// The log has lost events that the model has folded.
        case ahead
    }

    private struct State {
        var reached: [String: Int64] = [:]
        var faults: [String: Fault] = [:]
        var waiters: [String: [UInt64: Waiter]] = [:]
        var nextID: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// The position a model is known to have reached.
    package func position(of model: String) -> Int64 {
        state.withLockedValue { $0.reached[model] ?? 0 }
    }

    /// A model's fault since it last reached a position; nil for none.
    package func fault(of model: String) -> Fault? {
        state.withLockedValue { $0.faults[model] }
    }

    /// Until the model reaches a position again.
    package func fail(_ model: String, _ fault: Fault) {
        state.withLockedValue { $0.faults[model] = fault }
    }

    /// Whether a request waits for the model.
    package func isAwaited(_ model: String) -> Bool {
        state.withLockedValue { !($0.waiters[model]?.isEmpty ?? true) }
    }

    /// The model's rows are committed up to this position; a lower one than before means that the log was restored.
    package func reached(_ position: Int64, model: String) {
        let ready = state.withLockedValue { state -> [CheckedContinuation<Bool, Never>] in
            state.reached[model] = position
            state.faults[model] = nil
            let done = state.waiters[model]?.filter { $0.value.position <= position } ?? [:]
            for id in done.keys { state.waiters[model]?[id] = nil }
            return done.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume(returning: true) }
    }

    /// Waits until the model has reached the position.
    /// - Returns: false if it has not within `limit`, or the task was cancelled.
    package func wait(for position: Int64, model: String, atMost limit: Duration = .seconds(2)) async -> Bool {
        if self.position(of: model) >= position { return true }
        let id = state.withLockedValue { state -> UInt64 in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.register(id, position, model) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func register(_ id: UInt64, _ position: Int64, _ model: String) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLockedValue { state -> Bool? in
                    if state.reached[model] ?? 0 >= position { return true }
                    if Task.isCancelled { return false }
                    state.waiters[model, default: [:]][id] = Waiter(position: position, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLockedValue { $0.waiters[model]?.removeValue(forKey: id) }
            waiter?.continuation.resume(returning: false)
        }
    }
}
