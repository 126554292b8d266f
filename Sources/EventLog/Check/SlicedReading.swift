import FoundationEssentials
import Postgres

/// A verification under way: the log by positions, then its streams, then the content beside it.
struct SlicedReading {
    private enum Step {
        case positions(after: Int64)
        case streams(after: UUID)
        case content(after: ContentKey)
        case checkpoints
        case done
    }

    /// The deadline for one slice, sufficient for a slow disk.
    private static let deadline: Duration = .seconds(600)

    let pool: PostgresPool
    let head: Int64
    let slice: Int64
    /// The counts so far.
    private(set) var counts: [LogRule: RuleCount] = [:]
    private var step = Step.positions(after: 0)

    init(pool: PostgresPool, head: Int64, slice: Int64) {
        self.pool = pool
        self.head = head
        self.slice = slice
    }

    /// Reads the next slice.
    /// - Returns: false when there is none left.
    /// - Throws: `PostgresError`.
    mutating func next() async throws -> Bool {
        switch step {
        case .positions(let position) where position < head: try await readPositions(after: position)
        case .positions: step = .streams(after: UUID(bytes: []))
        case .streams(let id): try await readStreams(after: id)
        case .content(let key): try await readContent(after: key)
        case .checkpoints:
            try add(try await pool.query(Self.checkpoints))
            step = .done
        case .done: return false
        }
        return true
    }

    private mutating func readPositions(after position: Int64) async throws {
        let upTo = min(position + slice, head)
        for sql in [Self.positions(position, upTo), Self.versions(position, upTo), Self.redactions(position, upTo)] {
            try add(try await read(sql))
        }
        step = .positions(after: upTo)
    }

    private mutating func readStreams(after id: UUID) async throws {
        let result = try await read(Self.streams(after: id, limit: slice, head: head))
        try add(result)
        guard let row = result.rows.first else {
            // Every event's version lies within its stream's versions; if the totals differ, a version is there twice.
            let (events, known) = (counts[.positions]?.examined ?? 0, counts[.once]?.examined ?? 0)
            counts[.once] = RuleCount(examined: events, broken: abs(events - known))
            step = .content(after: ContentKey())
            return
        }
        step = .streams(after: try row.decode("last"))
    }

    private mutating func readContent(after key: ContentKey) async throws {
        let result = try await read(Self.content(after: key, limit: slice, head: head))
        try add(result)
        step = try result.rows.first.map { row in Step.content(after: try ContentKey(row: row)) } ?? .checkpoints
    }

    private mutating func add(_ result: PostgresResult) throws(PostgresError) {
        for row in result.rows {
            guard let rule = LogRule(rawValue: try row.decode("rule")) else { continue }
            counts[rule, default: RuleCount()].examined += try row.decode("examined", as: Int64.self)
            counts[rule, default: RuleCount()].broken += try row.decode("broken", as: Int64.self)
        }
    }

    /// The plans must not depend on statistics, which a young log lacks: a slice is found by an index, and each of its
    /// rows is looked up by one.
    private func read(_ sql: SQL) async throws -> PostgresResult {
        try await pool.transaction(within: Self.deadline) { connection in
            _ = try await connection.query(
                """
                select set_config(name, 'off', true)
                  from (values ('enable_seqscan'), ('enable_bitmapscan'), ('enable_hashjoin'), ('enable_mergejoin'),
                               ('jit')) plan (name)
                """)
            return try await connection.query(sql)
        }
    }
}
