import Foundation

/// A counter of concurrent users.
final class Counter: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var value = 0  // behind the lock

    /// - Returns: the present number.
    func enter() -> Int {
        lock.withLock {
            value += 1
            return value
        }
    }

    func leave() {
        lock.withLock { value -= 1 }
    }
}

/// Server processes that were seen.
final class Pids: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var seen: Set<Int32> = []  // behind the lock

    var count: Int { lock.withLock { seen.count } }

    func insert(_ pid: Int32) {
        lock.withLock { _ = seen.insert(pid) }
    }
}
