import Domain
import PhotoStore
import ReadModels

/// Counts the rows of an export.
struct ExportTally {
    private(set) var rows = 0
    private var licences: [Licence: Int] = [:]
    private var datasets: [DatasetID: (credits: DatasetCredits, rows: Int)] = [:]
    private var generalised = 0

    mutating func add(_ record: BulkRecord) {
        rows += 1
        if let licence = record.record.row.licence { licences[licence, default: 0] += 1 }
        if let dataset = record.dataset { datasets[dataset.id, default: (dataset, 0)].rows += 1 }
        if record.record.row.isGeneralised { generalised += 1 }
    }

    /// For the documents in an archive, which are part of its bytes.
    var contents: ExportFacts.Contents {
        ExportFacts.Contents(
            rows: rows, licences: licences,
            datasets: datasets.values.sorted { $0.credits.id < $1.credits.id }.map { dataset, rows in
                ExportFacts.Dataset(
                    id: dataset.id, title: dataset.title, publisher: dataset.publisher, citation: dataset.citation,
                    rows: rows)
            },
            generalised: generalised)
    }

    /// The revision that a finished file is.
    /// - Parameter polygons: the version of the borders.
    func made(
        _ number: Int, at moment: ExportMoment, of file: FinishedExport, leaving leftOut: LeftOut,
        with polygons: PolygonSetCode
    ) throws -> ExportMade {
        ExportMade(
            revision: number, moment: moment, rows: rows, bytes: file.size,
            sha256: try Fingerprint(file.digest.description), members: file.members,
            licences: licences.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { LicensedRows(licence: $0.key, rows: $0.value) },
            datasets: datasets.sorted { $0.key < $1.key }.map { DatasetRows(id: $0.key, rows: $0.value.rows) },
            leftOut: ExportOmissions(
                noLicence: leftOut.noLicence, notRepublished: leftOut.notRepublished, unidentified: file.unidentified),
            generalised: generalised, replacedCharacters: file.replacedCharacters, polygons: polygons,
            software: try SoftwareName(Software.name))
    }
}
