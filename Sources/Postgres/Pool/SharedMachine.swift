internal import DequeModule

/// Which of the shared connections are up, and who waits for one; a value without sockets or tasks.
struct SharedMachine<Connection: Sendable>: Sendable {
    private var slots: [Connection?]
    private var waiting = Deque<WaiterID>()
    private(set) var isClosed = false

    init(count: Int) {
        slots = Array(repeating: nil, count: count)
    }

    var connections: [Connection] { slots.compactMap { $0 } }
    var waitingCount: Int { waiting.count }

    /// The connection with the least to do, of those `load` gives a number for.
    func leastLoaded(_ load: (Connection) -> Int?) -> Connection? {
        connections.compactMap { connection in load(connection).map { (connection, $0) } }.min { $0.1 < $1.1 }?.0
    }

    mutating func wait(_ id: WaiterID) {
        waiting.append(id)
    }

    /// False when it does not wait any more.
    mutating func stopWaiting(_ id: WaiterID) -> Bool {
        guard let index = waiting.firstIndex(of: id) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// A slot is up: everybody who waits may go, because a shared connection takes any number.
    mutating func connected(_ slot: Int, _ connection: Connection) -> [WaiterID] {
        slots[slot] = connection
        return takeWaiting()
    }

    mutating func lost(_ slot: Int) {
        slots[slot] = nil
    }

    /// Nobody may wait from now on; those who do are to be told.
    mutating func close() -> [WaiterID] {
        isClosed = true
        return takeWaiting()
    }

    private mutating func takeWaiting() -> [WaiterID] {
        defer { waiting.removeAll() }
        return Array(waiting)
    }
}
