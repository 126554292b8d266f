package import Domain
import Postgres
package import ReadModels
import Vault

/// A record as researchers see it.
package struct ResearchRecord: Sendable {
    /// Its public values; a rejected one has neither notes nor photos.
    package let record: PublicRecord
    /// The reasons for which it is rejected; empty for other records.
    package let reasons: [SightingReason]
}

/// The use cases of researchers: public records with those that are rejected for a reason about the record.
package struct ResearchUseCases: Sendable {
    package let exporting: ResearchExporting
    private let records: PublicReads

    init(_ ground: Ground, records: RecordUseCases, exports: ExportUseCases) {
        self.records = records.reads
        exporting = ResearchExporting(
            store: ResearchExports(database: ground.pool), records: records.reads, service: exports.service,
            diff: exports.diff)
    }

    /// A page of the records that meet a filter, when the client's turn comes, which it has in common with maps.
    /// - Throws: ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func list(
        _ page: ResearchListQueries.Page, _ asked: Asked
    ) async throws -> Shown<Slice<ResearchRecord, PublicListQueries.Page.Key>> {
        try await records.inTurn(PublicReader.plan(PublicReader.named, under: page.list.filter), asked) {
            try await $0.research(page, asOf: $1)
        }
    }
}

extension PublicReader {
    /// A page of records for researchers.
    /// - Throws: what the database throws.
    fileprivate func research(
        _ page: ResearchListQueries.Page, asOf moment: PublicMoment
    ) async throws -> Slice<ResearchRecord, PublicListQueries.Page.Key> {
        let slice = try await reading {
            try await ResearchListQueries($0).page(page, asOf: moment, and: Self.told(asOf: moment))
        }
        let names = try await summaries(of: Set(slice.items.compactMap(\.found.sighting.taxon)), asOf: moment)
        return slice.with(
            try slice.items.map {
                ResearchRecord(record: try Self.record($0.found.sighting, $0.row, names), reasons: $0.found.reasons)
            })
    }
}
