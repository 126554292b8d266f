package import Logging
package import Postgres

/// Notifies the other processes of new positions and listens for theirs. Hints only: polling covers a missed one.
///
/// NOTIFY takes a lock on the whole cluster through its commit, so it is never part of an append: one statement of its
/// own, at most every twenty milliseconds, says how far this process has come.
package struct LogNotifier: Sendable {
    private static let channel = "skein_log"

    private let configuration: PostgresConfiguration
    private let pool: PostgresPool
    private let appended: HeadSignal
    private let head: HeadSignal
    private let logger: Logger

    /// - Parameters:
    ///   - configuration: for the connection that listens.
    ///   - appended: positions this process appended.
    ///   - head: receives the positions others appended.
    package init(
        configuration: PostgresConfiguration, pool: PostgresPool, appended: HeadSignal, head: HeadSignal, logger: Logger
    ) {
        self.configuration = configuration
        self.pool = pool
        self.appended = appended
        self.head = head
        self.logger = logger
    }

    /// Notifies and listens until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.tell() }
            group.addTask { await self.hear() }
        }
    }

    private func tell() async {
        var told: Int64 = 0
        while !Task.isCancelled {
            await appended.wait(beyond: told)
            told = appended.position
            do {
                _ = try await pool.query("select pg_notify(\(Self.channel), \(String(told)))")
            } catch {
                logger.debug("notification failed", metadata: ["error": "\(String(reflecting: error))"])
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func hear() async {
        var backoff = BackOff(base: .milliseconds(20), limit: .seconds(2))
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.connect(configuration, logger: logger)
                backoff.reset()
                // Every role that may connect may notify: a notification only triggers a poll.
                for try await _ in try await connection.listen(Self.channel) {
                    head.announce(try await LogOrigin.read(pool).position)
                }
            } catch {
                logger.debug("listening failed", metadata: ["error": "\(String(reflecting: error))"])
            }
            try? await Task.sleep(for: backoff.next())
        }
    }
}
