import NIOConcurrencyHelpers

/// Looks up in one statement all keys that callers ask for while the statement before is under way.
///
/// Nothing is kept: each look-up begins after the last of its callers asked, so an answer is as recent as that of a
/// look-up of one's own. A failed look-up fails for all who share it.
final class SharedLookups<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private enum Turn {
        case answered(Result<Value?, any Error>)
        /// The caller looks up its own key, and those of all who wait.
        case leads
    }

    private struct Waiter {
        let key: Key
        let continuation: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var isLed = false
        var waiting: [Waiter] = []
    }

    private let look: @Sendable (Set<Key>) async throws -> [Key: Value]
    private let state = NIOLockedValueBox(State())

    /// - Parameter look: finds the values of keys; leaves out those that have none.
    init(_ look: @escaping @Sendable (Set<Key>) async throws -> [Key: Value]) {
        self.look = look
    }

    /// The number of callers whose look-up has not begun.
    var waiting: Int { state.withLockedValue { $0.waiting.count } }

    /// The value of a key; nil if it has none.
    /// - Throws: what the look-up throws.
    func value(of key: Key) async throws -> Value? {
        switch await turn(key) {
        case .answered(let result): return try result.get()
        case .leads: return try await lead(key)
        }
    }

    private func turn(_ key: Key) async -> Turn {
        await withCheckedContinuation { continuation in
            let leads = state.withLockedValue { state in
                defer { state.isLed = true }
                if state.isLed { state.waiting.append(Waiter(key: key, continuation: continuation)) }
                return !state.isLed
            }
            if leads { continuation.resume(returning: .leads) }
        }
    }

    private func lead(_ key: Key) async throws -> Value? {
        let others = state.withLockedValue { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        do {
            let found = try await look(Set(others.map(\.key) + [key]))
            for other in others { other.continuation.resume(returning: .answered(.success(found[other.key]))) }
            passOn()
            return found[key]
        } catch {
            // The others have not left with the caller.
            if Task.isCancelled {
                state.withLockedValue { $0.waiting = others + $0.waiting }
            } else {
                for other in others { other.continuation.resume(returning: .answered(.failure(error))) }
            }
            passOn()
            throw error
        }
    }

    private func passOn() {
        let next = state.withLockedValue { state -> Waiter? in
            state.isLed = !state.waiting.isEmpty
            return state.isLed ? state.waiting.removeFirst() : nil
        }
        next?.continuation.resume(returning: .leads)
    }
}
