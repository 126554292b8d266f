package import Logging
import NIOConcurrencyHelpers
package import Postgres

/// The highest position this process knows to be committed, and the tasks that wait for a higher one.
///
/// Only a hint for followers: they also poll the log.
package final class HeadSignal: Sendable {
    private let known = NIOLockedValueBox<Int64>(0)
    private let risen = Signal()

    /// Starts at position 0.
    package init() {}

    /// The highest position announced.
    package var position: Int64 { known.withLockedValue { $0 } }

    /// Announces that everything up to `position` is committed, and wakes the waiting tasks.
    package func announce(_ position: Int64) {
        let isHigher = known.withLockedValue { known in
            defer { known = max(known, position) }
            return position > known
        }
        if isHigher { risen.notify() }
    }

    /// Lowers what was announced to a head that was read later: the log has lost the events above. Does nothing when
    /// another position has been announced meanwhile.
    package func correct(_ announced: Int64, to head: Int64) {
        known.withLockedValue { known in
            if known == announced { known = min(announced, head) }
        }
    }

    /// Returns when a position above `position` has been announced, or the task is cancelled.
    package func wait(beyond position: Int64) async {
        await risen.wait { self.position > position }
    }
}

extension HeadSignal {
    /// Returns when a position above `position` has been announced, `interval` has passed, or the task is cancelled.
    package func wait(beyond position: Int64, atMost interval: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(beyond: position) }
            group.addTask { try? await Task.sleep(for: interval) }
            await group.next()
            group.cancelAll()
        }
    }
}

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
            group.addTask { await self.announce() }
            group.addTask { await self.hear() }
        }
    }

    private func announce() async {
        var announced: Int64 = 0
        while !Task.isCancelled {
            await appended.wait(beyond: announced)
            announced = appended.position
            do {
                _ = try await pool.query("select pg_notify(\(Self.channel), \(String(announced)))")
            } catch {
                logger.debug("notification failed", metadata: ["error": "\(String(reflecting: error))"])
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func hear() async {
        var backOff = BackOff(base: .milliseconds(20), limit: .seconds(2))
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.connect(configuration, logger: logger)
                backOff.reset()
                // Every role that may connect may notify: a notification only triggers a poll. Announcements of this
                // process itself are skipped.
                for try await said in try await connection.listen(Self.channel)
                where Int64(said.payload).map({ $0 > head.position }) ?? true {
                    head.announce(try await LogOrigin.read(pool).position)
                }
            } catch {
                logger.debug("listening failed", metadata: ["error": "\(String(reflecting: error))"])
            }
            try? await Task.sleep(for: backOff.next())
        }
    }
}
