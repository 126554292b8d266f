import Domain
import Exchange
import FoundationEssentials
import JSON
import NIOConcurrencyHelpers
import ReadModels

extension ExportMaker {
    /// Writes a survey.
    func makeSurvey(
        _ order: Order, in folder: String, until end: ContinuousClock.Instant?, counting rows: NIOLockedValueBox<Int64>
    ) async throws -> MadeExport {
        let tables = folder + "/tables"
        try FileManager.default.createDirectory(atPath: tables, withIntermediateDirectories: true)
        let survey = try OutgoingSurvey(in: tables)
        let query = BulkQuery(filter: order.query.filter, named: order.named)
        var tally = ExportTally()
        try check(0, until: end)
        async let leftOut = reader.leftOutOfVisits(query, asOf: order.moment)
        for taxon in try await reader.guardedTaxa(asOf: order.moment) {
            try survey.append(taxon.values, to: .noAbsence)
        }
        try await reader.eachVisit(of: query, asOf: order.moment) { part in
            switch part {
            case .visits(let visits):
                for visit in visits { try survey.append(visit.values, to: .visits) }
            case .records(let records):
                for (visit, record) in records {
                    try survey.append(record.detection(on: visit), to: .detections)
                    tally.add(record)
                }
            }
            rows.withLockedValue { $0 = Int64(tally.rows) }
            try check(survey.size, until: end)
        }
        let finished = try survey.finish()
        let file = try finished.written(to: folder + "/export", replacing: survey.replacedCharacters) {
            try check(0, until: end)
        }
        try check(file.size, until: end)
        let revision = try tally.made(
            order.revision, at: ExportMoment(order.moment), of: file, leaving: try await leftOut,
            with: subjects.places.index.version)
        return MadeExport(revision, path: file.path, folder: folder)
    }
}

extension PublicVisit {
    /// The values of the table of visits.
    fileprivate var values: [String?] {
        let centre = cell?.centre
        return [
            id.description, dataset?.description, from.description, to.description,
            centre.map { Self.degrees($0.latitude) }, centre.map { Self.degrees($0.longitude) },
            surveyProtocol?.rawValue, minutes.map { String($0) }, distanceKm.map(Self.number),
            observers.map { String($0) }, String(isComplete), String(listLength),
        ]
    }

    private static func degrees(_ value: Double) -> String {
        var bytes: [UInt8] = []
        DecimalDegrees.append(value, decimals: 6, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func number(_ value: Double) -> String {
        var writer = JSONWriter(capacity: 16)
        writer.number(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension BulkRecord {
    /// The values of the table of detections.
    fileprivate func detection(on visit: PublicVisitID) -> [String?] {
        let taxon = lineage.first?.summary
        return [
            visit.description, taxon?.id.description, taxon?.scientificName, record.row.count.map { String($0) },
            occurrenceID,
        ]
    }
}

extension GuardedTaxon {
    /// The values of the table of taxa whose absence must not be derived.
    fileprivate var values: [String?] { [id.description, scientificName, String(category.rawValue)] }
}
