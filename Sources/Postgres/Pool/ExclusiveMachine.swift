internal import DequeModule

/// Who has, and who waits for, one of a bounded number of exclusive connections; a value without sockets or tasks.
///
/// A place is either a connection or the right to open one. Places go round in order of arrival.
struct ExclusiveMachine<Connection: Sendable>: Sendable {
    /// What someone who asked for a connection gets.
    enum Grant: Sendable {
        case connection(Connection)
        /// The place is free but empty: open a connection, and give the place back if that fails.
        case open
    }

    enum Answer {
        case granted(Grant)
        case wait
        case closed
    }

    private let capacity: Int
    private var idle: [Connection] = []
    private var taken = 0
    private var waiting = Deque<WaiterID>()
    private(set) var isClosed = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    var idleCount: Int { idle.count }
    var takenCount: Int { taken }
    var waitingCount: Int { waiting.count }

    mutating func acquire(_ id: WaiterID) -> Answer {
        guard !isClosed else { return .closed }
        if let connection = idle.popLast() {
            taken += 1
            return .granted(.connection(connection))
        }
        guard taken >= capacity else {
            taken += 1
            return .granted(.open)
        }
        waiting.append(id)
        return .wait
    }

    /// Someone gives a place back, with its connection if that is still good. The place may pass on at once.
    mutating func release(_ connection: Connection?) -> (waiter: WaiterID, grant: Grant)? {
        guard !isClosed, let next = waiting.popFirst() else {
            taken -= 1
            // When closed, it is up to the giver to close the connection.
            if let connection, !isClosed { idle.append(connection) }
            return nil
        }
        return (next, connection.map { .connection($0) } ?? .open)
    }

    /// Whether all connections have come back after ``close()``.
    var isDone: Bool { isClosed && taken == 0 }

    /// False when it does not wait any more.
    mutating func stopWaiting(_ id: WaiterID) -> Bool {
        guard let index = waiting.firstIndex(of: id) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Nobody may ask from now on; those who wait are to be told, and idle connections closed.
    mutating func close() -> (waiters: [WaiterID], idle: [Connection]) {
        isClosed = true
        defer { (waiting, idle) = ([], []) }
        return (Array(waiting), idle)
    }
}
