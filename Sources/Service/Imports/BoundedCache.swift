internal import NIOConcurrencyHelpers

/// Remembers what is costly to find out and comes up again and again in a file. It forgets all of it when it is full,
/// so that a file of any size takes no more memory.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = NIOLockedValueBox<[Key: Value]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// The value, made where it is not known. Two tasks may make the same one at the same time.
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
