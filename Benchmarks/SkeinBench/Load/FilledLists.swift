import EventLog
import Foundation
import Postgres
import ReadModels

/// A log that is filled on the server, through `log.append`, with records that differ in every member of a filter: see
/// `fill_lists.sql`.
struct FilledLists: Sendable {
    private static let observers: Int64 = 1_000
    private static let datasets = 5
    /// Records of a batch.
    private static let batch = 500

    let laboratory: Laboratory
    let database: String
    /// The species of the records, the most frequent first.
    let taxa: [UUID]
    /// The most frequent first.
    let datasets: [UUID]

    /// - Parameter log: has the service's taxa.
    init(_ log: ServedLog) async throws {
        laboratory = log.laboratory
        database = log.service.database
        for script in ["fill.sql", "fill_photos.sql", "fill_seasons.sql", "fill_lists.sql"] {
            try await laboratory.runScript(script, in: database)
        }
        try await Self.registerDatasets(log)
        let account = try SamplePayload.accountTemplate()
        (taxa, datasets) = try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            try await connection.query("select bench.register_observers(\(Self.observers), \(account))")
            // The order mixes kinds and families, and is the same in every log.
            let taxa = try await connection.query(
                """
                select id from \(identifier: ReadModel.taxa.schema).taxa
                 where rank = 'species' and sensitivity is null order by md5(scientific_name), id
                """)
            let datasets = try await connection.query(
                "select id from \(identifier: ReadModel.datasets.schema).datasets order by position")
            return (try taxa.rows.map { try $0.decode("id") }, try datasets.rows.map { try $0.decode("id") })
        }
    }

    /// Registers datasets that may be passed on, each by an import of one record.
    private static func registerDatasets(_ log: ServedLog) async throws {
        let laboratory = log.laboratory
        let file = laboratory.folder + "/dataset.csv"
        defer { try? FileManager.default.removeItem(atPath: file) }
        for number in 1...datasets {
            let row = "first-\(number),Troglodytes pacificus,47.6,-122.3,2015-05-01"
            let text = "occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate\n\(row)\n"
            try Data(text.utf8).write(to: URL(filePath: file))
            try await laboratory.skein.run(
                [
                    "import", "occurrences", file, "--dataset", "Survey \(number)", "--licence", "CC-BY-4.0",
                    "--republish", "yes",
                ],
                environment: laboratory.environment(log.service.database), in: laboratory.folder)
        }
        try await log.service.waitUntilFollowed()
    }

    /// Appends records, with decisions on the submitted ones.
    /// - Parameters:
    ///   - chosen: a taxon of which that many records are, as far as they divide the records evenly; nil for none.
    ///   - others: the taxa of the other records.
    func fill(_ records: Int, choosing chosen: (taxon: UUID, records: Int)? = nil, among others: [UUID]? = nil)
        async throws
    {
        let (others, every) = (others ?? taxa, Int64(max(1, records / max(1, chosen?.records ?? 1))))
        let (imported, submitted) = (try SamplePayload.importedTemplate(), try SamplePayload.template(taxon: nil))
        let photo = try SamplePayload.photoTemplate()
        try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            // The last batch only decides.
            for batch in 0...(records + Self.batch - 1) / Self.batch {
                try await connection.query(
                    """
                    select bench.fill_lists(
                        \(batch), \(records), \(Self.observers), \(others), \(datasets), \(imported), \(submitted),
                        \(photo), \(chosen?.taxon), \(every))
                    """)
            }
        }
    }

    /// Checks that the events were appended and folded: one that conflicts is left out silently.
    /// - Throws: ``ProgramError`` if more than a tenth of the records are not public (those of category 1 never are),
    ///   or if there is no photo or no decision.
    func check(_ records: Int) async throws {
        let schema = ReadModel.sightingsPublic.schema
        let row = try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            try await connection.query(
                """
                select count(*) as records, count(*) filter (where s.status = 'approved') as approved,
                       (select count(*) from \(identifier: schema).photos) as photos
                  from \(identifier: schema).records s
                 where s.kind = 'record' and upper_inf(s.valid) and upper_inf(s.shown)
                """
            ).onlyRow()
        }
        let found: (records: Int64, approved: Int64, photos: Int64) = (
            try row.decode("records"), try row.decode("approved"), try row.decode("photos")
        )
        show("\(found.records) public records, \(found.approved) of them approved; \(found.photos) photos")
        guard found.records > Int64(records / 10 * 9), found.approved > 0, found.photos > 0 else {
            throw ProgramError(description: "of \(records) records too few are public, approved or with a photo")
        }
    }

    /// The families of some species, in the order of their first species.
    func families(of species: [UUID]) async throws -> [UUID] {
        let taxa = ReadModel.taxa.schema
        return try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            try await connection.query(
                """
                with recursive line as (
                    select s.number, t.id, t.rank, t.parent
                      from unnest(\(species)) with ordinality s (id, number)
                      join \(identifier: taxa).taxa t on t.id = s.id
                    union all
                    select l.number, p.id, p.rank, p.parent
                      from line l
                      join \(identifier: taxa).taxa p on p.id = l.parent
                     where l.rank <> 'family'
                )
                select l.id from line l where l.rank = 'family' group by l.id order by min(l.number)
                """
            ).rows.map { try $0.decode("id") }
        }
    }
}
