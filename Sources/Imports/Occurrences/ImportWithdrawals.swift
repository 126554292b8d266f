import Domain
import EventLog
import FoundationEssentials
import Service

/// Withdraws imported records whose rows have vanished, by events, about a thousand at a time.
struct ImportWithdrawals: Sendable {
    /// Streams that are looked up at once.
    static let streamsAtOnce = ImportChunk.size * 4

    let log: ImportLog
    let dataset: DatasetID
    let batch: BatchID
    let isDryRun: Bool

    /// Withdraws the streams that are not withdrawn yet.
    /// - Returns: the number of streams that this batch has withdrawn, now or before it was stopped.
    /// - Throws: what the database throws; `AppendError`.
    func withdraw(_ streams: [UUID]) async throws -> Int {
        var count = 0
        for start in stride(from: 0, to: streams.count, by: Self.streamsAtOnce) {
            let part = Array(streams[start..<min(start + Self.streamsAtOnce, streams.count)])
            let found = try await log.lookup.states(of: part, as: SightingState.self)
            count += try await withThrowingTaskGroup(of: Bool.self) { group in
                for (stream, found) in found { group.addTask { try await withdraw(stream, found) } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        return count
    }

    private func withdraw(_ stream: UUID, _ found: FoundStream<SightingState>) async throws -> Bool {
        var found = found
        while true {
            if found.state.status == .withdrawn {
                return found.state.record?.batch == batch && found.state.withdrawal == .vanished
            }
            let command = WithdrawImport(dataset: dataset, batch: batch)
            guard let decision = try? SightingDecider.decide(.withdrawImport(command), found.state), !decision.isEmpty
            else { return false }
            if isDryRun { return true }
            let identity = log.identity(
                "WithdrawImport", about: [batch.description, stream.uuidString, "vanished", String(found.version)])
            switch try await log.append(
                AppendCommand(decision, stream: stream, expected: found.version, identity))
            {
            case .appended: return true
            case .rejected: return false
            case .conflict:
                found = try await log.lookup.states(of: [stream], as: SightingState.self)[stream] ?? FoundStream()
            }
        }
    }
}
