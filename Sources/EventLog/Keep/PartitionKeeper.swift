package import Logging
package import Postgres

/// Creates empty partitions ahead of the head, so that an append never lacks one.
package struct PartitionKeeper: Sendable {
    /// Empty partitions kept ahead.
    package static let ahead: Int32 = 2

    private let database: any PostgresQuerying
    private let interval: Duration
    private let logger: Logger

    /// - Parameter interval: how often the partitions are checked.
    package init(_ database: any PostgresQuerying, every interval: Duration = .seconds(60), logger: Logger) {
        self.database = database
        self.interval = interval
        self.logger = logger
    }

    /// Checks and creates partitions until the task is cancelled.
    package func run() async {
        await repeating(every: interval, else: "partitions not kept", at: .error, to: logger) {
            let made = try await keep()
            if made > 0 { logger.info("made partitions of the log", metadata: ["count": "\(made)"]) }
        }
    }

    /// Creates the missing partitions.
    /// - Returns: how many partitions were made.
    /// - Throws: `PostgresError`.
    package func keep() async throws(PostgresError) -> Int {
        let result = try await database.query("select log.add_partitions(\(Self.ahead)) as made")
        return Int(try result.onlyRow().decode("made", as: Int32.self))
    }

    /// How many empty partitions lie above the head.
    /// - Throws: `PostgresError`.
    package func empty() async throws(PostgresError) -> Int {
        let result = try await database.query(
            """
            select count(*) as empty from log.partitions
             where lower_bound > (select coalesce(max(position), 0) from log.events)
            """)
        return Int(try result.onlyRow().decode("empty", as: Int64.self))
    }
}
