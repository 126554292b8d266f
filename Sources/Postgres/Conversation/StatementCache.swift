/// Which statements a connection has prepared, and under which names; the least recently used makes room.
struct StatementCache {
    /// What to do before a statement can be run.
    enum Use: Equatable {
        /// Nothing: it is prepared.
        case prepared(name: String)
        /// Prepare it under this new name. Names are never used twice, so a late error cannot hit the wrong one.
        case prepare(name: String)

        var name: String {
            switch self {
            case .prepared(let name), .prepare(let name): name
            }
        }
    }

    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [StatementKey: Entry] = [:]
    private var clock: UInt64 = 0
    private var names: UInt64 = 0
    /// Statements that have made room and that the server may forget.
    private var evicted: [String] = []

    /// - Parameter capacity: how many statements stay prepared, at least one.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { entries.count }

    /// Looks a statement up and counts it as prepared from now on.
    mutating func use(_ key: StatementKey) -> Use {
        clock += 1
        if let index = entries.index(forKey: key) {
            entries.values[index].lastUse = clock
            return .prepared(name: entries.values[index].name)
        }
        if entries.count >= capacity { evictOldest() }
        names += 1
        let name = "s\(names)"
        entries[key] = Entry(name: name, lastUse: clock)
        return .prepare(name: name)
    }

    /// Drops a statement that the server does not know or does not want any more, unless it has been prepared again
    /// since.
    mutating func forget(_ key: StatementKey, name: String) {
        guard entries[key]?.name == name else { return }
        entries[key] = nil
    }

    /// Hands out the name of a statement to be deallocated.
    mutating func popEvicted() -> String? {
        evicted.popLast()
    }

    /// Takes a name back that could not be deallocated (in a failed transaction the server does nothing).
    mutating func keepForEviction(_ name: String) {
        evicted.append(name)
    }

    private mutating func evictOldest() {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        entries[oldest.key] = nil
        evicted.append(oldest.value.name)
    }
}

/// The identity of a prepared statement: two texts with different parameter types are two statements.
struct StatementKey: Hashable, Sendable {
    let text: String
    let types: [PostgresType]

    init(_ sql: SQL) {
        text = sql.text
        types = sql.binds.types
    }
}
