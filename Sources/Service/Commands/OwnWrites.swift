package import Domain
import FoundationEssentials
import NIOConcurrencyHelpers

/// The position of each account's last acknowledged write in this process, which the account's own reads wait for.
///
/// A position matters only while a read model lacks it. When there are too many, those that every model has reached are
/// forgotten, and then the older half of the rest: an account that was forgotten waits for the highest position
/// forgotten, so memory is bounded and no read misses a write.
package final class OwnWrites: Sendable {
    fileprivate struct State {
        var positions: [UUID: Int64] = [:]
        /// The highest position forgotten that a model may lack.
        var forgotten: Int64 = 0
    }

    private let capacity: Int
    private let reached: @Sendable () -> Int64
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - capacity: accounts remembered, at most.
    ///   - reached: the position that every read model has reached.
    package init(capacity: Int = 20_000, reached: @escaping @Sendable () -> Int64) {
        self.capacity = capacity
        self.reached = reached
    }

    /// - Parameter account: nil for the system and the operator, who read nothing of their own.
    func acknowledge(_ position: Int64, by account: UUID?) {
        guard let account else { return }
        state.withLockedValue { state in
            state.positions[account] = max(position, state.positions[account] ?? 0)
            if state.positions.count > capacity { state.forget(upTo: reached(), keeping: capacity / 2) }
        }
    }

    /// The position that the account's own reads must show; 0 for any.
    package func position(of account: AccountID) -> Int64 {
        state.withLockedValue { max($0.positions[account.uuid] ?? 0, $0.forgotten) }
    }

    /// How many accounts are remembered, for tests of the bound.
    package var count: Int { state.withLockedValue { $0.positions.count } }
}

extension OwnWrites.State {
    fileprivate mutating func forget(upTo reached: Int64, keeping count: Int) {
        positions = positions.filter { $0.value > reached }
        guard positions.count > count else { return }
        forgotten = max(forgotten, positions.values.sorted()[positions.count - count - 1])
        positions = positions.filter { $0.value > forgotten }
    }
}
