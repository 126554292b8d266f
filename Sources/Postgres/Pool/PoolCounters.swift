internal import NIOConcurrencyHelpers

/// What a pool counts.
final class PoolCounters: Sendable {
    private let snapshot = NIOLockedValueBox(PostgresPoolSnapshot())

    var current: PostgresPoolSnapshot { snapshot.withLockedValue { $0 } }

    func count(_ counter: any WritableKeyPath<PostgresPoolSnapshot, Int> & Sendable) {
        snapshot.withLockedValue { $0[keyPath: counter] += 1 }
    }
}
