package import Domain
import EventLog
import Exchange
package import FoundationEssentials
import JSON
import Postgres
import ReadModels
import Vault

/// A request for a researcher's own export.
package struct ResearchExportRequest: Hashable, Sendable {
    /// The formats that can be sent while records are read.
    package static let formats = ExportFormat.allCases.filter { $0.encoder != nil || $0 == .ranges }

    package let format: ExportFormat
    package let filter: RecordFilter
    /// The terms of a table of ranges; nil for other formats.
    package let ranges: RangeTerms?
    package let rejected: RejectedChoice
    /// The day (UTC) as of whose end it is; nil for the present.
    package let day: CivilDate?

    package init(
        format: ExportFormat, filter: RecordFilter, ranges: RangeTerms? = nil, rejected: RejectedChoice,
        day: CivilDate?
    ) {
        (self.format, self.filter, self.ranges, self.rejected, self.day) = (format, filter, ranges, rejected, day)
    }
}

extension ResearchExport {
    /// The records of the export.
    /// - Throws: a fault of the stored filter.
    package var query: BulkQuery {
        get throws {
            let filter = try RecordFilter(payload: JSONValue(parsing: Array(filter.utf8)))
            return BulkQuery(filter: filter, rejected: rejected)
        }
    }

    /// The terms of a table of ranges; nil for other formats.
    /// - Throws: what cannot be read of them.
    package var terms: RangeTerms? {
        get throws { try ranges.map { try RangeTerms(payload: JSONValue(parsing: Array($0.utf8))) } }
    }

    package var contentType: String { format.contentType }

    package var fileName: String { "research-\(id).\(format.fileExtension)" }

    /// When it ends.
    package var expiresAt: Instant { requestedAt.adding(seconds: ResearchExports.kept) }
}

/// Exports of public records with rejected ones. Each belongs to the account that asks for it, for seven days.
///
/// Knowledge is as of the request, restrictions are as of each download.
package struct ResearchExporting: Sendable {
    let store: ResearchExports
    let records: PublicReads
    /// Research exports count towards the quota of all exports.
    let service: ExportService
    /// Compares tables of ranges.
    let diff: ExportDiff

    /// Asks for an export. Idempotent: a retry with the same key and request returns the first outcome.
    /// - Throws: ``ExportRequestRejection``, ``CommandError``, ``DayNotOver``, ``ModelBehind``; what the database
    ///   throws.
    package func request(
        _ request: ResearchExportRequest, by account: AccountID, key: UUID
    ) async throws -> (export: ResearchExport, isNew: Bool) {
        if let known = try await store.export(ofKey: key, of: account) {
            guard known.answers(request) else { throw CommandError.keyReused }
            return (known, false)
        }
        let moment = try await records.reads.source(BulkReader.plan, Asked(asOf: request.day)).moment
        try await takeFromQuota(of: account)
        let kept = try await store.keep(
            request.format, request.filter.canonical, ranges: request.ranges?.canonical, request.rejected,
            asOf: request.day, ExportPin(known: Int(moment.known), guarded: Int(moment.guarded)), for: account, key: key
        )
        guard let kept else { throw CommandError.notFound }
        guard kept.answers(request) else { throw CommandError.keyReused }
        return (kept, true)
    }

    /// The exports of an account, the newest first.
    /// - Throws: what the database throws.
    package func exports(of account: AccountID) async throws -> [ResearchExport] {
        try await store.exports(of: account)
    }

    /// - Throws: ``CommandError/notFound``, also for those of others; what the database throws.
    package func export(_ id: ExportID, of account: AccountID) async throws -> ResearchExport {
        guard let found = try await store.export(id, of: account) else { throw CommandError.notFound }
        return found
    }

    /// The records of an export, when the client's turn comes.
    /// - Throws: ``FairTurns/Rejection``, ``ModelBehind``; what the database throws.
    package func stream(_ export: ResearchExport) async throws -> PublicReads.BulkStream {
        let pin = export.pin
        return try await records.bulkStream(Asked(position: Int64(pin.known))) { now in
            PublicMoment(
                known: Int64(pin.known), shown: now.shown, guarded: Int64(pin.guarded), settled: now.settled,
                of: export.day)
        }
    }

    private func takeFromQuota(of account: AccountID) async throws {
        let isVerified = try await service.verified.contains(account)
        let limit = isVerified ? service.limits.perDay : service.limits.unverifiedPerDay
        guard let limit else { return }
        let today = service.now().date()
        guard try await service.quotas.use(.exports, of: account, on: today, atMost: limit) else {
            throw ExportRequestRejection.quota(secondsLeft: service.now().secondsLeftOfDay)
        }
    }
}

extension ResearchExport {
    fileprivate func answers(_ request: ResearchExportRequest) -> Bool {
        format == request.format && filter == request.filter.canonical && ranges == request.ranges?.canonical
            && rejected == request.rejected && day == request.day
    }
}
