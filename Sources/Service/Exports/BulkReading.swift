import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import Vault

/// Rows of a bulk answer, before anything else is looked up for them.
typealias BulkRows = [(sighting: PublicSighting, row: PostgresRow)]

/// A reading of a bulk answer: what is looked up once for all its records.
struct BulkReading: Sendable {
    private let query: BulkQuery
    private let moment: PublicMoment
    private let format: ExportFormat
    /// Those of every taxon that was looked up.
    private var lineages: [TaxonID: [DatedTaxon]] = [:]
    private var datasets: [DatasetID: DatasetCredits] = [:]
    private var namesakes: Namesakes

    init(_ query: BulkQuery, _ moment: PublicMoment, _ format: ExportFormat, signer: CommandSigner) {
        (self.query, self.moment, self.format) = (query, moment, format)
        namesakes = Namesakes(signer: signer, datasets: [])
    }

    mutating func prepare(_ reader: BulkReader) async throws {
        namesakes = try await reader.namesakes(in: query)
    }

    /// The rows with some ids, sorted by them.
    func rows(_ ids: ArraySlice<SightingID>, _ reader: BulkReader) async throws -> BulkRows {
        let (query, moment) = (query, reader.underRestrictions(moment))
        let further: SQL = query.rejected == nil ? "" : ", s.reasons"
        let columns: SQL = "\(fragment: Self.columns(asOf: moment))\(fragment: further)"
        return try await reader.queries { try await $0.sightings(ids, of: query, asOf: moment, and: columns) }
    }

    /// The records in some rows, and what was looked up for them, too.
    func following(
        _ found: BulkRows, _ reader: BulkReader
    ) async throws -> (records: [BulkRecord], reading: BulkReading) {
        var reading = self
        return (try await reading.records(found, reader), reading)
    }

    /// The records in some rows.
    mutating func records(_ found: BulkRows, _ reader: BulkReader) async throws -> [BulkRecord] {
        try await lookUp(found.map(\.sighting), reader)
        var rows: [PassedOnRow?] = []
        for (sighting, row) in found {
            let content: String? = try row.decode("imported_row")
            rows.append(sighting.isGeneralised ? nil : content.flatMap { PassedOnRow(content: $0) })
        }
        let shared = try await shared(zip(found, rows).map { ($0.sighting, $1?.occurrenceID) }, reader)
        var records: [BulkRecord] = []
        records.reserveCapacity(found.count)
        for ((sighting, row), passedOn) in zip(found, rows) {
            let original = shared.contains(sighting.id) ? nil : passedOn?.occurrenceID
            let lineage = sighting.taxon.flatMap { lineages[$0] } ?? []
            let dataset = sighting.dataset.flatMap { datasets[$0] }
            let record = try PublicReader.record(
                sighting, row, taxon: lineage.first?.summary, datasetTitle: dataset?.title)
            let reasons = try query.rejected.map { _ in try ResearchListQueries.reasons(row) } ?? []
            records.append(
                BulkRecord(
                    record: record, lineage: lineage, dataset: dataset, row: passedOn,
                    occurrenceID: original ?? BulkRecord.urn(sighting.id),
                    reasons: reasons))
        }
        if format == .dwca {
            let identifications = try await BulkIdentifications(of: records, asOf: moment, reader)
            try await lookUp(taxa: identifications.taxa, reader)
            try identifications.add(to: &records, lineages)
        }
        return records
    }

    /// The further columns of a record `s`: those of a public answer, and the imported row where it may be passed on.
    private static func columns(asOf moment: PublicMoment) -> SQL {
        // By the record's own id: under another one there is no row, whatever the conditions say.
        """
        \(fragment: PublicReader.submitted(asOf: moment)),
        case when s.dataset is not null and s.content and not s.guarded and s.sensitivity is null and s.cell is null
                  and s.geoprivacy = \(Geoprivacy.open.rawValue)
                  and not \(fragment: PublicSightingQueries.isHidden(.notes, asOf: moment))
                  and not \(fragment: PublicSightingQueries.isHidden(.verbatimName, asOf: moment))
             then \(fragment: ContentStore.newest(.record, of: "s.id", asOf: moment.known)) end as imported_row
        """
    }

    private mutating func lookUp(taxa: [TaxonID], _ reader: BulkReader) async throws {
        let (new, position) = (Set(taxa.filter { lineages[$0] == nil }), moment.known)
        guard !new.isEmpty else { return }
        let found = try await reader.query { try await DatedTaxonQueries($0).lineages(of: new, asOf: position) }
        for taxon in new { lineages[taxon] = found.lineage(of: taxon) }
    }

    /// Looks up the taxa and datasets of records, as they were known.
    private mutating func lookUp(_ sightings: [PublicSighting], _ reader: BulkReader) async throws {
        let position = moment.known
        try await lookUp(taxa: sightings.compactMap(\.taxon), reader)
        let newDatasets = Set(sightings.compactMap(\.dataset).filter { datasets[$0] == nil })
        if !newDatasets.isEmpty {
            let streams = newDatasets.map(\.uuid)
            let fields: [ContentField] = [.title, .publisher, .citation, .rightsHolder]
            let contents = try await reader.query {
                try await ContentStore(database: $0).content(of: streams, fields: fields, asOf: position)
            }
            for id in newDatasets {
                let content = contents[id.uuid]
                datasets[id] = DatasetCredits(
                    id: id, title: content?[.title] ?? "", publisher: content?[.publisher],
                    citation: content?[.citation], rightsHolder: content?[.rightsHolder])
            }
        }
    }

    /// The records whose original ids another record of the answer, in this format, has, too: found by their ids,
    /// however the answer is cut into batches.
    private func shared(
        _ records: [(sighting: PublicSighting, original: String?)], _ reader: BulkReader
    ) async throws -> Set<SightingID> {
        var others: [SightingID: [SightingID]] = [:]
        for (sighting, original) in records {
            guard let original, let dataset = sighting.dataset else { continue }
            for rival in namesakes.rivals(of: sighting.id, original, in: dataset) {
                others[rival, default: []].append(sighting.id)
            }
        }
        let (query, format, moment) = (query, format, moment)
        var shared: Set<SightingID> = []
        let candidates = Array(others.keys)
        for start in stride(from: 0, to: candidates.count, by: 10_000) {
            let some = candidates[start..<min(start + 10_000, candidates.count)]
            let found = try await reader.queries { try await $0.contained(some, in: query, as: format, asOf: moment) }
            for id in found { shared.formUnion(others[id] ?? []) }
        }
        return shared
    }
}
