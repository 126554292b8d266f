package import Domain
import FoundationEssentials
import NIOConcurrencyHelpers

/// Finds where the months (UTC) end in the log, for guarded records.
package final class MonthEnds: Sendable {
    private let log: LogState
    /// The last positions, by the last day of the month. A month that is over gets no more events.
    private let found = NIOLockedValueBox<[CivilDate: Int64]>([:])

    package init(_ log: LogState) {
        self.log = log
    }

    /// The last positions of months, as ``PublicMoment`` has them.
    package struct Ends: Sendable {
        /// The last position of the last month that was over at the end of the day; without a day, that is over now.
        package let guarded: Int64
        /// The last position of the last month that is over now.
        package let settled: Int64
    }

    /// - Parameter day: the day as of which the response is given; nil for now.
    package func ends(asOf day: CivilDate? = nil) async throws -> Ends {
        let lastDay = log.lastDay
        let settled = try await lastPosition(ofMonthOverWith: lastDay)
        guard let day else { return Ends(guarded: settled, settled: settled) }
        return Ends(guarded: try await lastPosition(ofMonthOverWith: min(day, lastDay)), settled: settled)
    }

    /// The beginning of the first month that is not over.
    /// - Throws: nothing for days that have a number.
    package var beginning: Instant {
        get throws { Instant(startOf: try Self.firstDay(after: log.lastDay)) }
    }

    /// The first day of the month of the next day.
    private static func firstDay(after day: CivilDate) throws -> CivilDate {
        let next = day.adding(days: 1)
        return try CivilDate(year: next.year, month: next.month, day: 1)
    }

    /// The last position of the last month that is over when a day is; 0 when there is none.
    /// - Parameter day: one that is over.
    private func lastPosition(ofMonthOverWith day: CivilDate) async throws -> Int64 {
        let first = try Self.firstDay(after: day)
        let last = first.adding(days: -1)
        if let position = found.withLockedValue({ $0[last] }) { return position }
        let position = try await log.position(before: Instant(startOf: first))
        found.withLockedValue { $0[last] = position }
        return position
    }
}
