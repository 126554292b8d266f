import EventLog
import Foundation
import Postgres
import ReadModels

/// A log that is filled on the server, through `log.append`, with records of all regions over eleven years.
struct FilledSeasons: Sendable {
    /// Records that a batch adds.
    private static let batch = 1_000

    let laboratory: Laboratory
    let database: String
    private let taxa: [UUID]
    private let regions: [String]

    /// - Parameter log: has the service's taxa.
    init(_ log: ServedLog) async throws {
        laboratory = log.laboratory
        database = log.service.database
        for script in ["fill.sql", "fill_seasons.sql"] { try await laboratory.runScript(script, in: database) }
        taxa = try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            try await connection.query(
                """
                select id from \(identifier: ReadModel.taxa.schema).taxa
                 where rank = 'species' and sensitivity is null order by id limit 600
                """
            ).rows.map { try $0.decode("id") }
        }
        struct Regions: Decodable {
            struct Region: Decodable { let code: String }
            let items: [Region]
        }
        regions = try await log.service.client.get("/v1/regions").decoded(Regions.self).items.map(\.code)
    }

    /// Appends that many records, rounded up to a batch.
    func fill(_ records: Int) async throws {
        let template = try SamplePayload.importedTemplate()
        try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            for batch in 0..<(records + Self.batch - 1) / Self.batch {
                try await connection.query("select bench.fill_seasons(\(batch), \(taxa), \(regions), \(template))")
            }
        }
    }
}
