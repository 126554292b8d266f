import Foundation
import Postgres

/// A log that is filled on the server, through `log.append`, with submissions and corrections.
struct FilledLog: Sendable {
    /// Sightings that a batch adds.
    private static let batch = 900

    let laboratory: Laboratory
    let database: String
    private var nextBatch: Int64

    /// - Parameters:
    ///   - database: has Skein's tables.
    ///   - sightings: those that the log has already.
    init(_ laboratory: Laboratory, database: String, after sightings: Int = 0) async throws {
        self.laboratory = laboratory
        self.database = database
        nextBatch = Int64((sightings + Self.batch - 1) / Self.batch)
        try await laboratory.runScript("fill.sql", in: database)
    }

    /// Appends until the log has at least the wanted number of events; one in ten is a correction.
    mutating func fill(upTo events: Int64) async throws {
        let template = try SamplePayload.template()
        let first = nextBatch
        nextBatch = try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            var (batch, head) = (first, Int64(0))
            while head < events {
                let row = try await connection.query(
                    "select bench.fill(\(batch), \(template), null, null) as head"
                ).onlyRow()
                head = try row.decode("head")
                batch += 1
            }
            return batch
        }
    }

    /// Appends that many findings of one account, rounded up to 900, each of one taxon and with a note.
    mutating func fill(findings: Int, of account: UUID, taxon: UUID) async throws {
        let template = try SamplePayload.template(taxon: taxon)
        let batches = nextBatch..<nextBatch + Int64((findings + Self.batch - 1) / Self.batch)
        try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            for batch in batches {
                try await connection.query(
                    "select bench.fill(\(batch), \(template), \(account), 'two adults and a chick')")
            }
        }
        nextBatch = batches.upperBound
    }
}
