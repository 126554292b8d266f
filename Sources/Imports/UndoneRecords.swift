import Domain
import EventLog
import FoundationEssentials
import Service
import Vault

/// Restores the records of an import to their state before it, about a thousand at a time.
struct UndoneRecords: Sendable {
    /// The outcome for a record.
    struct Outcome: Sendable {
        enum Result: Sendable {
            case done(UndoEffect)
            case left(LeftRecord.Cause)
        }

        let stream: UUID
        let result: Result
        /// Whether this run changed the record; otherwise an earlier one did, or none.
        let isNew: Bool
    }

    let log: ImportLog
    let dataset: DatasetID
    let batch: BatchID

    private struct Candidate: Sendable {
        let stream: UUID
        var found: FoundStream<SightingState>
        /// The versions of the row, kept beside the log; the oldest first.
        let rows: [ContentVersion]
    }

    /// Restores those of the streams that the import first changed after a position, so that each counts once.
    /// - Throws: what the database throws; `AppendError`.
    func restore(_ streams: [UUID], after position: Int64, _ settle: (Outcome) -> Void) async throws {
        for start in stride(from: 0, to: streams.count, by: ImportWithdrawals.streamsAtOnce) {
            let part = streams[start..<min(start + ImportWithdrawals.streamsAtOnce, streams.count)]
            let candidates = try await candidates(Array(part), after: position)
            let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome?).self) { group in
                for (index, candidate) in candidates.enumerated() {
                    group.addTask { (index, try await restore(candidate)) }
                }
                return try await group.reduce(into: [Outcome?](repeating: nil, count: candidates.count)) {
                    $0[$1.0] = $1.1
                }
            }
            for outcome in outcomes.compactMap(\.self) { settle(outcome) }
        }
    }

    private func candidates(_ streams: [UUID], after position: Int64) async throws -> [Candidate] {
        let found = try await log.lookup.states(of: streams, as: SightingState.self).filter { _, found in
            guard let version = found.state.imports.firstVersion(before: batch) else { return false }
            return found.positions[version] > position
        }
        let changing = found.filter { _, found in
            guard let touch = touch(in: found.state) else { return false }
            return touch.hasFormerRecord && found.state.obstacle(to: touch) == nil
        }
        let rows = try await ContentStore(database: log.pool).versions(of: .record, in: Array(changing.keys))
        return streams.compactMap { stream in
            found[stream].map { Candidate(stream: stream, found: $0, rows: rows[stream] ?? []) }
        }
    }

    private func touch(in state: SightingState) -> ImportTouch? {
        state.imports.touches.last { $0.batch == batch }
    }

    /// An import that was resumed after another one had changed the record may have changed it several times; each
    /// change is undone by itself.
    private func restore(_ candidate: Candidate) async throws -> Outcome? {
        var (found, isNew) = (candidate.found, false)
        while true {
            guard let touch = touch(in: found.state) else {
                let effect = found.state.imports.effect(of: batch)
                return effect.map { Outcome(stream: candidate.stream, result: .done($0), isNew: isNew) }
            }
            if let obstacle = found.state.obstacle(to: touch) {
                return Outcome(stream: candidate.stream, result: .left(.changed(obstacle)), isNew: isNew)
            }
            switch try await append(touch, candidate, found) {
            case .appended: isNew = true
            case .conflict: break
            case .rejected(let reason):
                return Outcome(stream: candidate.stream, result: .left(.rejected(reason)), isNew: isNew)
            }
            found =
                try await log.lookup.states(of: [candidate.stream], as: SightingState.self)[candidate.stream]
                ?? FoundStream()
        }
    }

    private func append(
        _ touch: ImportTouch, _ candidate: Candidate, _ found: FoundStream<SightingState>
    ) async throws -> ImportLog.Outcome {
        let command = UndoImportOfRecord(
            dataset: dataset, batch: batch, record: row(before: touch, candidate.rows, found))
        let decision = try SightingDecider.decide(.undoImport(command), found.state)
        let identity = log.identity(
            "UndoImportOfRecord",
            about: [batch.description, candidate.stream.uuidString, String(found.version)])
        return try await log.append(
            AppendCommand(decision, stream: candidate.stream, expected: found.version, identity))
    }

    /// The change that brings the former row back.
    private func row(
        before touch: ImportTouch, _ rows: [ContentVersion], _ found: FoundStream<SightingState>
    ) -> Change<String> {
        guard touch.versionBefore > 0, touch.hasFormerRecord else { return .unset }
        let position = found.positions[touch.versionBefore - 1]
        return Change(from: rows.last?.value, to: rows.last { $0.position <= position }?.value)
    }
}
