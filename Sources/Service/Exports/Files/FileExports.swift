import Domain
import EventLog
import FoundationEssentials
import NIOConcurrencyHelpers
import Postgres
import ReadModels

/// Makes exports as files for operators, and makes those of the service again to check them.
package struct FileExports: Sendable {
    let reads: Reads
    let reader: ExportReader
    let store: StreamStore
    let facts: ExportFactsReader
    let signer: CommandSigner
    /// Its limits are those of a disk.
    let maker: ExportMaker

    /// Makes an export in the folder of the maker. The models of ``BulkReader/plan`` must have caught up.
    /// - Throws: ``FileExportError``, `FileError`, ``ModelBehind``, ``DayNotOver``; what the database throws.
    package func make(_ request: FileExportRequest) async throws -> FileExport {
        let order = try await order(request)
        let made = try await make(order)
        let facts = try await facts.facts(
            of: made.revision, try await maker.subject(order), named: request.named, maker.pool)
        return FileExport(facts: facts, made: made)
    }

    /// The time at which a position was recorded; nil where there is none.
    /// - Throws: what the database throws.
    private func time(of position: Int64) async throws -> Instant? {
        try await reads.log.reader.page(after: position - 1, limit: 1).first.map { Instant($0.recordedAt) }
    }

    func make(_ order: ExportMaker.Order) async throws -> MadeExport {
        do {
            return try await maker.make(order, counting: NIOLockedValueBox(0))
        } catch let trouble as ExportTrouble where trouble.reason == .noSpace {
            let disk = maker.disk.state
            throw FileExportError.noSpace(free: disk.free, reserve: disk.reserve)
        }
    }
}

// MARK: - The order

extension FileExports {
    private func order(_ request: FileExportRequest) async throws -> ExportMaker.Order {
        let site = maker.subjects.site
        let missing = site.missing(for: request.format)
        guard missing.isEmpty else { throw FileExportError.notConfigured(missing) }
        var day: CivilDate?
        if case .day(let date) = request.asOf { day = date }
        let query = ExportQuery(
            format: request.format, filter: request.filter, day: day, outputVersion: ExportOutput.version,
            site: site.fingerprint(for: request.format, signer), ranges: request.ranges)
        let (moment, time) = try await moment(request.asOf)
        let isServed = day != nil && request.named.isEmpty
        let id = isServed ? query.contentID(signer) : self.id(query, moment, request.named)
        return ExportMaker.Order(
            id: id, query: query, requested: time, revision: isServed ? try await revision(of: id) : 1, moment: moment,
            named: request.named, isServed: isServed)
    }

    /// The id of an export that the service never has: the same for the same records.
    private func id(_ query: ExportQuery, _ moment: PublicMoment, _ named: Set<DatasetID>) -> ExportID {
        let positions = query.day == nil ? [String(moment.known), String(moment.guarded)] : []
        return ExportID(
            signer.id(of: ["export file"] + query.canonical + positions + named.map(\.description).sorted()))
    }

    /// The number of the revision that the service would give now: an archive names it.
    private func revision(of id: ExportID) async throws -> Int {
        let stored: Stored<ExportState>? = try await store.load(id.uuid)
        guard let state = stored?.state else { return 1 }
        let isKept = state.status == .made && !state.isRestricted
        return isKept ? max(1, state.lastRevision) : state.lastRevision + 1
    }

    /// The moment of an answer, and its time.
    private func moment(_ asOf: FileExportRequest.AsOf) async throws -> (moment: PublicMoment, time: Instant) {
        switch asOf {
        case .now:
            return (try await reads.source(BulkReader.plan, Asked()).moment, reads.log.now())
        case .day(let day):
            return (try await reads.source(BulkReader.plan, Asked(asOf: day)).moment, Instant(startOf: day))
        case .time(let time):
            let known = try await reads.log.reader.position(at: time.date)
            return (try await moment(known: known, at: time), time)
        case .position(let position):
            let time = try await time(of: position) ?? reads.log.now()
            return (try await moment(known: position, at: time), time)
        }
    }

    /// What was known at a position under the restrictions of now, with the months that were over then.
    private func moment(known: Int64, at time: Instant) async throws -> PublicMoment {
        let now = try await reads.source(BulkReader.plan, Asked(position: known)).moment
        let ends = try await reads.months.ends(asOf: LogState.lastDay(at: time))
        return PublicMoment(known: known, shown: now.shown, guarded: ends.guarded, settled: ends.settled)
    }
}
