import EventLog
import Foundation
import Logging
import NIOConcurrencyHelpers
import Postgres

extension AppendLoad {
    /// Appends for as long as something else runs; the commands are made meanwhile.
    /// - Returns: events a second, and the longest time of one append.
    func append(
        to database: PostgresConfiguration, logger: Logger, while other: @escaping @Sendable () async throws -> Void
    ) async throws -> (rate: Double, longest: Duration) {
        try await Self.withAppender(to: database, logger: logger) { appender in
            let isOver = NIOLockedValueBox(false)
            let start = ContinuousClock.now
            return try await withThrowingTaskGroup(of: (count: Int, longest: Duration).self) { group in
                for lane in 0..<Self.lanes {
                    group.addTask {
                        var (count, longest) = (0, Duration.zero)
                        while !isOver.withLockedValue({ $0 }) {
                            let command = try command(lane + count * Self.lanes)
                            longest = max(longest, try await Self.timed { _ = try await appender.append(command) })
                            count += 1
                        }
                        return (count, longest)
                    }
                }
                group.addTask {
                    defer { isOver.withLockedValue { $0 = true } }
                    try await other()
                    return (0, .zero)
                }
                let (count, longest) = try await group.reduce((0, Duration.zero)) { all, lane in
                    (all.0 + lane.count, max(all.1, lane.longest))
                }
                return (Double(count) / start.duration(to: .now).seconds, longest)
            }
        }
    }
}
