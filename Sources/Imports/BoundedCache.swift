import NIOConcurrencyHelpers
import Service

/// Caches values that are costly to compute and recur in a file. It is emptied when it is full,
/// so that a file of any size takes no more memory.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = NIOLockedValueBox<[Key: Value]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// The cached value, or a new one. Two tasks may make the same one at the same time.
    func value(for key: Key, _ make: () throws -> Value) rethrows -> Value {
        if let known = values.withLockedValue({ $0[key] }) { return known }
        let value = try make()
        values.withLockedValue { values in
            if values.count >= limit { values.removeAll(keepingCapacity: true) }
            values[key] = value
        }
        return value
    }
}
