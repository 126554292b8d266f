import Domain
import Exchange
import NIOConcurrencyHelpers
import PhotoStore
import ReadModels

extension ExportMaker {
    /// Writes a table of ranges.
    func makeTable(
        _ order: Order, _ terms: RangeTerms, in folder: String, until end: ContinuousClock.Instant?,
        counting rows: NIOLockedValueBox<Int64>
    ) async throws -> MadeExport {
        let selection = RangeSelection(BulkQuery(filter: order.query.filter, named: order.named), terms)
        let tables = RangeTableReader(reader: reader, borders: try await borders.all)
        let file = try HashedFile(creating: folder + "/export")
        let writer = DelimitedWriter()
        try file.append { writer.append(RangeColumn.allCases.map(\.name), to: &$0) }
        try check(0, until: end)
        let taxa = try await tables.taxa(of: selection, asOf: order.moment)
        async let credits = tables.credits(of: taxa, in: selection, asOf: order.moment)
        var (written, replaced) = (0, 0)
        try await tables.eachTaxon(taxa, in: selection, asOf: order.moment) { taxon, table in
            let query = selection.range(of: taxon.id)
            for row in table.rows {
                let line = RangeLine(row, of: taxon, query)
                try file.append { writer.append(RangeColumn.allCases.map { line[$0] }, to: &$0) }
                (written, replaced) = (written + 1, replaced + line.replacedCharacters)
            }
            rows.withLockedValue { $0 = Int64(written) }
            try check(file.size, until: end)
        }
        let digest = try file.close()
        try check(file.size, until: end)
        let revision = ExportMade(
            revision: order.revision, moment: ExportMoment(order.moment), rows: written, bytes: file.size,
            sha256: try Fingerprint(digest.description), crediting: try await credits, replacedCharacters: replaced,
            polygons: subjects.places.index.version, software: try SoftwareName(Software.name))
        return MadeExport(revision, path: file.path, folder: folder)
    }
}

extension ExportMade {
    fileprivate init(
        revision: Int, moment: ExportMoment, rows: Int, bytes: Int, sha256: Fingerprint,
        crediting credits: RangeCredits,
        replacedCharacters: Int, polygons: PolygonSetCode, software: SoftwareName
    ) {
        self.init(
            revision: revision, moment: moment, rows: rows, bytes: bytes, sha256: sha256,
            licences: credits.licences.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { LicensedRows(licence: $0.key, rows: $0.value) },
            datasets: credits.datasets.sorted { $0.key < $1.key }.map { DatasetRows(id: $0.key, rows: $0.value) },
            leftOut: ExportOmissions(
                noLicence: credits.leftOut.noLicence, notRepublished: credits.leftOut.notRepublished),
            generalised: credits.generalised, replacedCharacters: replacedCharacters, polygons: polygons,
            software: software)
    }
}
