import EventLog
import Foundation
import Postgres
import ReadModels

/// A log that is filled on the server, through `log.append`, with photos of sightings, and decisions on both.
struct FilledPhotos: Sendable {
    private static let observers: Int64 = 1_000
    /// Photos that a batch adds.
    private static let batch = 300

    let laboratory: Laboratory
    let database: String
    /// The taxa of the sightings, the most frequent first.
    let taxa: [UUID]
    private var nextBatch: Int64 = 0

    /// - Parameter database: has the service's taxa.
    init(_ laboratory: Laboratory, database: String) async throws {
        self.laboratory = laboratory
        self.database = database
        for script in ["fill.sql", "fill_photos.sql"] { try await laboratory.runScript(script, in: database) }
        let account = try SamplePayload.accountTemplate()
        taxa = try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            try await connection.query("select bench.register_observers(\(Self.observers), \(account))")
            return try await connection.query(
                """
                select id from \(identifier: ReadModel.taxa.schema).taxa
                 where rank = 'species' and kind = 'bird' and sensitivity is null order by id limit 40
                """
            ).rows.map { try $0.decode("id") }
        }
    }

    /// Appends until the log has that many photos, rounded up to a batch, each of a sighting of its own.
    mutating func fill(upTo photos: Int) async throws {
        let batches = nextBatch..<Int64((photos + Self.batch - 1) / Self.batch)
        let (sighting, photo) = (try SamplePayload.template(taxon: nil), try SamplePayload.photoTemplate())
        try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            for batch in batches {
                try await connection.query(
                    "select bench.fill_photos(\(batch), \(Self.observers), \(taxa), \(sighting), \(photo))")
            }
        }
        nextBatch = batches.upperBound
    }
}
