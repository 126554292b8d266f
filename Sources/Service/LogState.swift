package import Domain
import EventLog
package import FoundationEssentials

/// The state of the log and of the read models, as this process knows it.
package struct LogState: Sendable {
    /// The epoch this process appends and reads in.
    package let epoch: Int64
    /// The head when this process started.
    package let startPosition: Int64
    let reader: LogReader
    let head: HeadSignal
    let progress: ModelProgress
    let writes: OwnWrites

    /// Epoch, head and the head's time, asked of the database.
    /// - Throws: what the database throws.
    package func current() async throws -> (epoch: Int64, position: Int64, recordedAt: Date?) {
        let origin = try await reader.origin()
        head.announce(origin.position)
        return (origin.epoch, origin.position, origin.lastRecorded)
    }

    /// The last position recorded at or before a moment; 0 when there is none.
    /// - Throws: what the database throws.
    package func position(at moment: Date) async throws -> Int64 {
        try await reader.position(at: moment)
    }

    /// The last position recorded before the month, in UTC, in which a position was; 0 when there is none.
    /// - Throws: what the database throws.
    package func position(beforeTheMonthOf position: Int64) async throws -> Int64 {
        guard let date = try await reader.time(of: position).map({ Instant($0).date() }) else { return 0 }
        let start = Instant(startOf: try CivilDate(year: date.year, month: date.month, day: 1))
        return try await reader.position(at: start.date.addingTimeInterval(-0.000_001))
    }

    /// The position of the account's last acknowledged write in this process; 0 when every model has it.
    package func lastWrite(of account: AccountID) -> Int64 {
        writes.position(of: account)
    }

    /// How far a read model has come, as this process knows.
    package func position(of model: String) -> Int64 {
        progress.position(of: model)
    }

    /// Waits until a read model has reached a position.
    /// - Returns: false when it had not in time.
    package func wait(for position: Int64, model: String, atMost limit: Duration) async -> Bool {
        await progress.wait(for: position, model: model, atMost: limit)
    }
}
