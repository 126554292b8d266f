import Dispatch
package import Logging
import NIOConcurrencyHelpers
package import Postgres

/// Detects that the log is no longer the one this process works on: another epoch has begun, or, after a failover or a
/// restore, the database has a different system identifier or timeline than when the epoch began.
///
/// Every connection is checked before it is used, so that a log that has moved is neither read nor appended to under
/// the old epoch. A process must then end: its positions, caches and answers belong to the old epoch.
package final class EpochGuard: Sendable {
    private struct State {
        var epoch: Int64?
        var departure: String?
    }

    private let state = NIOLockedValueBox(State())
    private let departed = Signal()
    private let logger: Logger

    /// Guards the epoch of the first connection.
    package init(logger: Logger) {
        self.logger = logger
    }

    /// The reason why this process must end; nil while the log is the one it works on.
    package var departure: String? { state.withLockedValue { $0.departure } }

    /// A copy whose connections are checked.
    package func guarding(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var copy = configuration
        copy.check = { [self] connection throws(PostgresError) in try await check(connection) }
        return copy
    }

    /// Compares the log's epoch and the database's identity with those known.
    /// - Throws: `PostgresError`: a failed connection where they differ.
    package func check(_ database: some PostgresQuerying) async throws(PostgresError) {
        let row = try await database.query(
            """
            select h.epoch, (h.system_identifier, h.timeline) = (s.system_identifier, \(fragment: LogEpoch.timeline))
                   as is_same
              from log.head h, pg_control_system() s
            """
        ).onlyRow()
        let (epoch, isSame): (Int64, Bool) = (try row.decode("epoch"), try row.decode("is_same"))
        let departure = state.withLockedValue { state -> String? in
            let known = state.epoch ?? epoch
            state.epoch = known
            if known != epoch {
                state.departure = "epoch \(epoch) of the log has begun; this process works in epoch \(known)"
            } else if !isSame {
                state.departure = "the database has another identity or timeline than when epoch \(known) began"
            }
            return state.departure
        }
        guard let departure else { return }
        departed.notify()
        throw PostgresError(.connectionFailed, departure, wasSent: false)
    }

    /// Checks every second.
    /// - Parameters:
    ///   - grace: the time that the process has to end by itself once the log has moved.
    ///   - end: called after that time, on a thread that no task can hold up.
    /// - Returns: as soon as the check of any connection shows that the log has moved, or the task is cancelled.
    package func run(
        _ database: some PostgresQuerying, grace: Duration = .seconds(10), end: @escaping @Sendable () -> Void = {}
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.checkRepeatedly(database) }
            // That check may still wait for a connection when the check of another one has failed.
            group.addTask { await self.departed.wait { self.departure != nil } }
            await group.next()
            group.cancelAll()
        }
        guard let departure else { return }
        logger.error("the log has moved", metadata: ["reason": "\(departure)"])
        DispatchQueue.global().asyncAfter(deadline: .now() + grace / .seconds(1), execute: end)
    }

    private func checkRepeatedly(_ database: some PostgresQuerying) async {
        while departure == nil, !Task.isCancelled {
            do {
                try await check(database)
                try await Task.sleep(for: .seconds(1))
            } catch {
                // A database that does not answer has not moved.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}

/// The log has moved under a process, which has to be started again.
package struct LogMoved: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    package var description: String { "\(reason): start again" }
}
