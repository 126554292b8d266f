package import Domain
import EventLog
package import Exchange
import FoundationEssentials
import Postgres
import Service

/// An operator's request: a file, its dataset, and how to read it.
package struct OccurrenceImportRequest: Sendable {
    /// A file or folder: delimited text, plain or gzip, or a Darwin Core archive.
    package var file: String
    /// A current or former title of the dataset.
    package var dataset: DatasetTitle
    /// The publisher of a new dataset; nil: from the archive's metadata.
    package var publisher: CreditLine?
    /// The licence of a new dataset's records that name none; nil: from the archive's metadata.
    package var licence: Licence?
    /// The citation of a new dataset; nil: from the archive's metadata.
    package var citation: CreditLine?
    /// The rights holder of a new dataset.
    package var rightsHolder: CreditLine?
    /// Whether a new dataset's records may be passed on to others; nil: no.
    package var republish: Republishing?
    /// The terms of columns whose headings do not name them.
    package var columns = ColumnMapping.none
    /// The columns that identify the visit of a row; nil if the import names none.
    package var visits: VisitNaming?
    /// Whether records whose rows are not in the file are withdrawn.
    package var replace = false
    /// Whether a replacement may withdraw any number of records.
    package var isConfirmed = false
    /// Whether to do everything except record.
    package var dryRun = false
    /// The file for rejected rows; nil: next to the imported file, with `.refused.csv` after its name.
    package var rejectedRows: String?

    package init(file: String, dataset: DatasetTitle) {
        self.file = file
        self.dataset = dataset
    }

    var rejectedRowsPath: String {
        rejectedRows ?? (file.hasSuffix("/") ? String(file.dropLast()) : file) + ".refused.csv"
    }
}

/// Imports the occurrences of a file into a dataset: `skein import occurrences`.
///
/// The file is read twice. The first pass counts rows of the same id or content in an unlogged table; the second looks
/// up each row's stream in the log, decides, and appends, with a few thousand rows in progress. Every command's id
/// derives from its subject, so an import that was stopped in any way is resumed by starting it
/// again.
package struct OccurrenceImport: Sendable {
    /// Most chunks in progress: some wait for the log while others are decided.
    private static let chunksInFlight = 8

    private let log: ImportLog
    private let names: TaxonNames
    private let places: PlaceIndex
    private let zones: any ZoneRules
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - names: the taxa that names are resolved to.
    ///   - now: the time after which dates are in the future.
    package init(
        log: ImportLog, names: TaxonNames, places: PlaceIndex, zones: any ZoneRules = SystemZoneRules(),
        now: @escaping @Sendable () -> Instant = { Instant.now }
    ) {
        self.log = log
        self.names = names
        self.places = places
        self.zones = zones
        self.now = now
    }

    /// Imports a file.
    /// - Throws: ``ImportError``; ``VisitNamingError``; what opening and reading the file throws; `PostgresError` and
    ///   `AppendError` if the database is unreachable; `CancellationError`. Everything recorded so far stays, and the
    ///   same call resumes from there.
    package func run(
        _ request: OccurrenceImportRequest, progress: @escaping ImportProgressHandler = { _ in }
    ) async throws -> OccurrenceImportSummary {
        let start = ContinuousClock.now
        let watch = try FileWatch(request.file)
        let source = try open(request)
        let dataset = try await ImportedDataset.called(request.dataset, in: log)
        var summary = try await ImportStaging.with(log.pool, dataset: dataset.id) { staging in
            let registration = RegisterDataset(request, source.metadata)
            let state = try await dataset.state()
            let batch = dataset.batch(of: watch.fingerprint, in: state)
            let licence = state.exists ? state.registration?.licence : registration.licence
            let run = Run(
                request: request, staging: staging, dataset: dataset, batch: batch, watch: watch,
                recorder: try recorder(dataset.id, batch, licence, source, request, watch), progress: progress)
            // Nothing is appended until the effect of the whole file is known.
            var summary = try await run.inspect(source)
            summary.warnings += Self.warnings(request, state, try await dataset.texts())
            if !request.dryRun {
                try await dataset.register(registration)
                let name = try FileName(Self.lastPart(of: request.file))
                try await dataset.start(batch, watch.fingerprint, fileName: name)
                watch.begin(batch)
            }
            try await run.record(try watch.reading { try open(request) }, &summary)
            if request.replace { try await run.withdrawVanished(&summary) }
            if !request.dryRun { try await dataset.finish(summary.finished) }
            return summary
        }
        summary.elapsed = start.duration(to: .now)
        return summary
    }

    private func open(_ request: OccurrenceImportRequest) throws -> OccurrenceSource {
        var options = OccurrenceSource.Options()
        options.columns = request.columns
        return try OccurrenceSource.open(request.file, options: options)
    }

    private func recorder(
        _ dataset: DatasetID, _ batch: BatchID, _ licence: Licence?, _ source: OccurrenceSource,
        _ request: OccurrenceImportRequest, _ watch: FileWatch
    ) throws -> ImportRecorder {
        ImportRecorder(
            log: log, contents: OccurrenceContentReader(columns: source.columns),
            interpreter: OccurrenceInterpreter(
                dataset: dataset, batch: batch, licence: licence, names: names, places: places, zones: zones,
                signer: log.signer,
                receivedAt: now(), nameColumns: OccurrenceNames.columns(of: source.columns),
                captiveColumns: OccurrenceCaptivity.columns(of: source.columns),
                visitColumns: try request.visits?.columns(among: source.columns)),
            isDryRun: request.dryRun, watch: watch)
    }

    private static func lastPart(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// - Parameter texts: the title and credits of a dataset that exists.
    private static func warnings(
        _ request: OccurrenceImportRequest, _ state: DatasetState, _ texts: [ContentField: String]
    ) -> [String] {
        guard state.exists else { return [] }
        var warnings: [String] = []
        if let title = texts[.title], title != request.dataset.text {
            warnings.append("this is a former title of the dataset, which is now called \"\(title)\"")
        }
        if let publisher = request.publisher, publisher.text != texts[.publisher] {
            warnings.append("the dataset exists; to change its publisher, use skein dataset describe")
        }
        guard let kept = state.registration else { return warnings }
        let isLicenceOther = request.licence.map { $0 != kept.licence } ?? false
        let isRepublishOther = request.republish.map { $0 != kept.republish } ?? false
        if isLicenceOther || isRepublishOther {
            warnings.append("the dataset exists; its licence and terms stay those of its first import")
        }
        return warnings
    }
}

// MARK: - The passes

extension OccurrenceImport {
    /// One import in progress.
    private struct Run {
        let request: OccurrenceImportRequest
        let staging: ImportStaging
        let dataset: ImportedDataset
        let batch: BatchID
        let watch: FileWatch
        let recorder: ImportRecorder
        let progress: ImportProgressHandler

        /// First pass: finds identical rows and rows without ids, and counts the records that a replacement would
        /// withdraw.
        func inspect(_ source: OccurrenceSource) async throws -> OccurrenceImportSummary {
            var summary = OccurrenceImportSummary(dataset: dataset.id, batch: batch, isDryRun: request.dryRun)
            var meter = ProgressMeter(.inspecting, progress)
            var (total, withoutID) = (0, 0)
            var (unsent, number): ([UInt8], Int) = ([], 0)
            try await Pipeline.run(width: OccurrenceImport.chunksInFlight) {
                defer { number += 1 }
                return try watch.reading { try ImportChunk.next(of: source, number: number) }
            } work: { [contents = recorder.contents, dataset, request] chunk in
                try ImportStaging.Rows(
                    chunk, contents, dataset.id, dataset.log.signer, keepsFingerprints: request.replace)
            } settle: { rows in
                watch.expect(rows.digest)
                total += rows.count
                withoutID += rows.withoutID
                summary.unreadable += rows.unreadable
                meter.add(rows: rows.count, done: source.progress)
                unsent += rows.bytes
                guard unsent.count >= ImportStaging.copySize else { return }
                try await staging.add(unsent)
                unsent = []
            }
            try await staging.add(unsent)
            try await staging.findRepetitions()
            try watch.checkContent()
            meter.finish()
            if request.replace { try await askConsent(rows: total, &summary) }
            if withoutID > 0 {
                summary.warnings.append(
                    "\(RuleViolation.grouped(withoutID)) rows have no occurrenceID: corrections to them cannot be "
                        + "recognised; a changed row becomes another record")
            }
            return summary
        }

        /// Stops an unconfirmed replacement that may be a mistake.
        private func askConsent(rows: Int, _ summary: inout OccurrenceImportSummary) async throws {
            guard summary.unreadable == 0 else {
                summary.warnings.append(
                    "nothing was withdrawn: some rows could not be read, so missing records cannot be determined")
                return
            }
            try await staging.addFurtherStreams(by: recorder.log.signer)
            let loss = try await staging.loss(of: batch)
            let replacement = Replacement(records: loss.records, withdrawn: loss.vanished, rows: rows)
            guard replacement.needsConsent, !request.isConfirmed else { return }
            guard request.dryRun else { throw ImportError.needsConsent(replacement) }
            summary.warnings.append("\(replacement); without --yes, the import would change nothing")
        }

        /// Second pass: decides and appends, and writes rejected rows in the order of the file.
        func record(_ source: OccurrenceSource, _ summary: inout OccurrenceImportSummary) async throws {
            let rejected = RejectedRowsFile(path: request.rejectedRowsPath, columns: source.fileColumns)
            var meter = ProgressMeter(.recording, progress)
            var repetitions = staging.repetitions()
            let total = source.progress.total
            var number = 0
            try await Pipeline.run(width: OccurrenceImport.chunksInFlight) {
                let next = try watch.reading { try ImportChunk.next(of: source, number: number) }
                guard var chunk = next else { return nil }
                number += 1
                for row in chunk.rows {
                    if let repetition = try await repetitions.repetition(at: row.number) {
                        chunk.repetitions[row.number] = repetition
                    }
                }
                return chunk
            } work: { [recorder] (chunk: ImportChunk) in
                try await recorder.record(chunk)
            } settle: { result in
                try await settle(result, rejected, &summary)
                meter.add(rows: result.rows, done: ByteProgress(consumed: result.bytesRead, total: total))
            }
            try watch.checkEnd(chunks: number)
            try rejected.close()
            if rejected.count > 0 { summary.rejectedRows = request.rejectedRowsPath }
            meter.finish()
        }

        private func settle(
            _ result: ImportChunkResult, _ rejected: RejectedRowsFile, _ summary: inout OccurrenceImportSummary
        ) async throws {
            summary.add(result.tally)
            for row in result.rejected {
                summary.rejected[row.reason, default: 0] += 1
                try rejected.append(
                    row: row.row, line: row.line, file: row.file, reason: row.reason, detail: row.detail,
                    fields: row.fields)
            }
        }

        /// Third pass: withdraws records whose rows are no longer in the file.
        func withdrawVanished(_ summary: inout OccurrenceImportSummary) async throws {
            guard summary.unreadable == 0 else { return }
            var meter = ProgressMeter(.withdrawing, progress)
            let withdrawals = ImportWithdrawals(
                log: recorder.log, dataset: dataset.id, batch: batch, isDryRun: request.dryRun)
            let head = try await LogReader(recorder.log.pool).origin().position
            for window in LogWindow.all(after: 0, upTo: head) {
                let streams = try await staging.vanished(in: window)
                summary.withdrawn += try await withdrawals.withdraw(streams)
                meter.add(rows: streams.count, done: ByteProgress(consumed: Int(window.last), total: Int(head)))
            }
            meter.finish()
        }
    }
}
