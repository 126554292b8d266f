import Domain
import Exchange
import FoundationEssentials
import Glibc
import NIOConcurrencyHelpers
import Postgres
import ReadModels

/// An export that cannot be made, for a reason that another attempt does not change.
struct ExportTrouble: Error {
    let reason: ExportFailure
}

/// A revision, and the file that it is, in a folder that is removed with this value.
final class MadeExport: Sendable {
    let revision: ExportMade
    let path: String
    private let folder: String

    init(_ revision: ExportMade, path: String, folder: String) {
        (self.revision, self.path, self.folder) = (revision, path, folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}

/// Writes the files of exports. At the same moment, a file has the same bytes, whichever process writes it.
struct ExportMaker: Sendable {
    /// An export to make, and the moment as of which it is.
    struct Order: Sendable {
        let id: ExportID
        let query: ExportQuery
        let requested: Instant
        let revision: Int
        let moment: PublicMoment
        /// The datasets that an operator named though they are not passed on.
        var named: Set<DatasetID> = []
        /// Whether the service has, or can have, the export under its id.
        var isServed = true
    }

    let reader: BulkReader
    let pool: PostgresPool
    let subjects: ExportSubjects
    let signer: CommandSigner
    /// Of this process alone.
    let folder: String
    let disk: DiskSpace
    let limits: ExportSettings.Limits
    let borders: RangeBorders

    /// - Parameter rows: receives the number of rows written so far.
    /// - Throws: ``ExportTrouble``; `FileError`; what the database throws.
    func make(_ order: Order, counting rows: NIOLockedValueBox<Int64>) async throws -> MadeExport {
        let folder = "\(folder)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            return try await make(order, in: folder, counting: rows)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            if case FileError.cannotWrite(_, ENOSPC) = error { throw ExportTrouble(reason: .noSpace) }
            throw error
        }
    }

    private func make(
        _ order: Order, in folder: String, counting rows: NIOLockedValueBox<Int64>
    ) async throws -> MadeExport {
        let end = limits.duration.map { ContinuousClock.now + $0 }
        if let terms = order.query.ranges {
            return try await makeTable(order, terms, in: folder, until: end, counting: rows)
        }
        if order.query.format == .survey {
            return try await makeSurvey(order, in: folder, until: end, counting: rows)
        }
        let writer = try order.query.format.writer(try await frame(order), in: folder)
        var tally = ExportTally()
        let query = BulkQuery(filter: order.query.filter, named: order.named)
        try check(0, until: end)
        async let leftOut = reader.leftOut(query, asOf: order.moment)
        try await reader.eachBatch(query, asOf: order.moment, as: order.query.format) { records in
            for record in records where try writer.append(record) { tally.add(record) }
            rows.withLockedValue { $0 = Int64(tally.rows) }
            try check(writer.size, until: end)
        }
        let file = try writer.finish(tally.contents) { try check(0, until: end) }
        try check(file.size, until: end)
        let revision = try tally.made(
            order.revision, at: ExportMoment(order.moment), of: file, leaving: try await leftOut,
            with: subjects.places.index.version)
        return MadeExport(revision, path: file.path, folder: folder)
    }

    func check(_ size: Int, until end: ContinuousClock.Instant?) throws {
        try Task.checkCancellation()
        if let end, ContinuousClock.now >= end { throw ExportTrouble(reason: .tooLong) }
        if let most = limits.bytes, size > most { throw ExportTrouble(reason: .tooLarge) }
        if disk.state.isLow { throw ExportTrouble(reason: .noSpace) }
    }

    /// The query of the order, with the names that the documents and the archive print.
    func subject(_ order: Order) async throws -> ExportSubject {
        var subject = try await subjects.subject(
            order.id, order.query, asOf: order.moment.known, requested: order.requested, pool)
        subject.isServed = order.isServed
        return subject
    }

    private func frame(_ order: Order) async throws -> ExportFrame {
        ExportFrame(
            subject: try await subject(order), revision: order.revision, dataset: order.query.datasetID(signer),
            site: subjects.site)
    }
}

extension ExportMoment {
    init(_ moment: PublicMoment) {
        self.init(
            known: Int(moment.known), shown: Int(moment.shown), guarded: Int(moment.guarded),
            settled: Int(moment.settled))
    }
}

extension PublicMoment {
    /// The moment of a revision that was made.
    init(_ moment: ExportMoment, of day: CivilDate?) {
        self.init(
            known: Int64(moment.known), shown: Int64(moment.shown), guarded: Int64(moment.guarded),
            settled: Int64(moment.settled), of: day)
    }
}
