package import Domain
import EventLog
import Exchange
import FoundationEssentials
import Postgres

/// Undoes a whole import: `skein import undo`.
///
/// Every record that the import touched last is withdrawn, by an event; nothing is deleted. A record that a later
/// import has corrected stays. It may be repeated, after a crash or for good measure.
package struct ImportUndo: Sendable {
    /// The outcome of an undo.
    package struct Summary: Sendable, Equatable, CustomStringConvertible {
        package let dataset: DatasetID
        package let batch: BatchID
        /// Records withdrawn, those of an earlier, unfinished run included.
        package let withdrawn: Int

        /// One line for a person.
        package var description: String {
            "Import \(batch) is undone: \(RuleViolation.grouped(withdrawn)) records withdrawn"
        }
    }

    private let log: ImportLog

    /// Undoes imports in the log; each withdrawal is an event of its own.
    package init(log: ImportLog) {
        self.log = log
    }

    /// - Throws: ``ImportError/unknownBatch(_:)``; `PostgresError`, `AppendError`, `CancellationError`.
    package func run(
        _ batch: BatchID, progress: @escaping ImportProgressHandler = { _ in }
    ) async throws -> Summary {
        let found = try await log.pool.withExclusive(within: .seconds(3_600)) { try await find(batch, $0) }
        guard let (dataset, start) = found else {
            throw ImportError.unknownBatch(batch)
        }
        // Nothing is imported into the dataset meanwhile.
        return try await ImportStaging.with(log.pool, dataset: dataset) { staging in
            let withdrawals = ImportWithdrawals(
                log: log, dataset: dataset, batch: batch, reason: .undone, isDryRun: false)
            var meter = ProgressMeter(.withdrawing, progress)
            let head = try await LogReader(staging.connection).origin().position
            var (position, withdrawn) = (start, 0)
            while position < head {
                let next = min(position + ImportWithdrawals.window, head)
                let streams = try await touched(by: batch, after: position, upTo: next, staging.connection)
                withdrawn += try await withdrawals.withdraw(streams)
                meter.add(
                    rows: streams.count, done: ByteProgress(consumed: Int(next - start), total: Int(head - start)))
                position = next
            }
            meter.finish()
            try await ImportedDataset(log: log, id: dataset).undo(batch, withdrawn: withdrawn)
            return Summary(dataset: dataset, batch: batch, withdrawn: withdrawn)
        }
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
        by batch: BatchID, after position: Int64, upTo last: Int64, _ connection: PostgresConnection
    ) async throws -> [UUID] {
        let result = try await connection.query(
            """
            select distinct e.stream from log.events e
             where e.position > \(position) and e.position <= \(last)
               and e.type in ('SightingImported', 'SightingCorrected') and e.payload ->> 'batch' = \(batch.description)
            """)
        return try result.rows.map { try $0.decode("stream") }
    }
}
