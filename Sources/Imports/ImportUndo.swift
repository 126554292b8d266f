package import Domain
import EventLog
import Exchange
import FoundationEssentials
import Postgres
import Service

/// Undoes a whole import: `skein import undo`.
///
/// New events restore every record that the import changed to its state before it; nothing is deleted. A record that
/// has changed since, or whose event the log rejects, is left as it is. An undo can be repeated, such as after a crash.
package struct ImportUndo: Sendable {
    private let log: ImportLog

    /// Undoes imports in the log.
    package init(log: ImportLog) {
        self.log = log
    }

    /// - Parameter left: called for every record that is left as it is, in the order of the log.
    /// - Throws: ``ImportError/unknownBatch(_:)``; `PostgresError`, `AppendError`, `CancellationError`.
    package func run(
        _ batch: BatchID, left: @escaping (LeftRecord) -> Void = { _ in },
        progress: @escaping ImportProgressHandler = { _ in }
    ) async throws -> ImportUndoSummary {
        let found = try await log.pool.withExclusive(within: .seconds(3_600)) { try await find(batch, $0) }
        guard let (dataset, start) = found else {
            throw ImportError.unknownBatch(batch)
        }
        // Its lock prevents imports into the dataset meanwhile.
        return try await ImportStaging.with(log.pool, dataset: dataset) { staging in
            let records = UndoneRecords(log: log, dataset: dataset, batch: batch)
            var summary = ImportUndoSummary(dataset: dataset, batch: batch)
            var meter = ProgressMeter(.restoring, progress)
            let head = try await LogReader(staging.connection).origin().position
            for window in LogWindow.all(after: start, upTo: head) {
                let streams = try await touched(by: batch, in: window, staging.connection)
                try await records.restore(streams, after: window.position) { summary.add($0, left) }
                let done = ByteProgress(consumed: Int(window.last - start), total: Int(head - start))
                meter.add(rows: streams.count, done: done)
            }
            meter.finish()
            return try await finish(summary)
        }
    }

    /// Records in the dataset that the import is undone, unless that is recorded and this run changed nothing.
    private func finish(_ done: ImportUndoSummary) async throws -> ImportUndoSummary {
        var summary = done
        let dataset = ImportedDataset(log: log, id: summary.dataset)
        if case .undone = try await dataset.state().imports[summary.batch] { summary.isRepetition = true }
        if !summary.isRepetition || summary.changed > 0 { try await dataset.undo(summary.event) }
        return summary
    }

    /// The dataset of an import, and the position at which it started.
    private func find(_ batch: BatchID, _ connection: PostgresConnection) async throws -> (DatasetID, Int64)? {
        let result = try await connection.query(
            """
            select e.stream, e.position
              from log.streams s
             cross join lateral (
                select e.stream, e.position from log.events e
                 where e.stream = s.id and e.position >= s.first_position and e.type = 'ImportStarted'
                   and e.payload ->> 'batch' = \(batch.description)
                 order by e.version limit 1) e
             where s.kind = 'dataset'
            """)
        guard let row = result.first else { return nil }
        return (DatasetID(try row.decode("stream")), try row.decode("position"))
    }

    private func touched(
        by batch: BatchID, in window: LogWindow, _ connection: PostgresConnection
    ) async throws -> [UUID] {
        let result = try await connection.query(
            """
            select e.stream from log.events e
             where e.position > \(window.position) and e.position <= \(window.last)
               and e.type in ('SightingImported', 'SightingCorrected', 'SightingWithdrawn')
               and e.payload ->> 'batch' = \(batch.description)
             group by e.stream order by min(e.position)
            """)
        return try result.rows.map { try $0.decode("stream") }
    }
}

/// A record that an undo leaves as it is.
package struct LeftRecord: Sendable, Hashable, CustomStringConvertible {
    /// Why it is left.
    package enum Cause: Sendable, Hashable {
        /// It has changed since the import.
        case changed(UndoObstacle)
        /// The log rejects the event that would restore it, for this reason.
        case rejected(String)
    }

    package let id: SightingID
    package let cause: Cause

    /// One line for a person.
    package var description: String {
        let cause =
            switch cause {
            case .changed(.laterImport(let batch)): "changed by import \(batch) since"
            case .changed(.moderated): "moderated since"
            case .changed(.withdrawn): "withdrawn since"
            case .changed(.redacted): "redacted since"
            case .rejected(let reason): "it cannot be restored: \(reason)"
            }
        return "left as it is: \(id), \(cause)"
    }
}

/// The outcome of an undo. Counts include what earlier runs did.
package struct ImportUndoSummary: Sendable, Equatable, CustomStringConvertible {
    package let dataset: DatasetID
    package let batch: BatchID
    /// Records withdrawn: they were new, or withdrawn before the import.
    package private(set) var withdrawn = 0
    /// Records whose former values were restored.
    package private(set) var setBack = 0
    /// Restored records that the import had withdrawn.
    package private(set) var broughtBack = 0
    /// Records left as they are, because they have changed since.
    package private(set) var left = 0
    /// Records left as they are, because the log rejects the events that would restore them.
    package private(set) var rejected = 0
    /// Records that this run changed.
    package private(set) var changed = 0
    /// Whether the import had been undone before.
    package internal(set) var isRepetition = false

    init(dataset: DatasetID, batch: BatchID) {
        (self.dataset, self.batch) = (dataset, batch)
    }

    mutating func add(_ outcome: UndoneRecords.Outcome, _ listed: (LeftRecord) -> Void) {
        if outcome.isNew { changed += 1 }
        switch outcome.result {
        case .done(.withdrawn): withdrawn += 1
        case .done(.setBack): setBack += 1
        case .done(.broughtBack): broughtBack += 1
        case .left(let cause):
            if case .rejected = cause { rejected += 1 } else { left += 1 }
            listed(LeftRecord(id: SightingID(outcome.stream), cause: cause))
        }
    }

    var event: ImportUndone {
        ImportUndone(
            batch: batch, withdrawn: withdrawn, setBack: setBack, broughtBack: broughtBack, left: left + rejected)
    }

    /// A few lines for a person.
    package var description: String {
        let counts = [
            (withdrawn, "records withdrawn"), (setBack, "set back to their former values"),
            (broughtBack, "restored"), (left, "left as they are, because they have changed since"),
            (rejected, "left as they are, because they cannot be restored"),
        ].filter { $0.0 > 0 }.map { "\(RuleViolation.grouped($0.0)) \($0.1)" }
        let all = counts.isEmpty ? "no record was changed by it" : counts.joined(separator: ", ")
        guard isRepetition, changed == 0 else { return "Import \(batch) is undone: \(all)" }
        return "Import \(batch) was undone before; there is nothing to do (\(all))"
    }
}
