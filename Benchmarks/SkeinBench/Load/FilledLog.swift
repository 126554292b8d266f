import Foundation
import Postgres

/// A log that is filled on the server, through `log.append`, with submissions and corrections.
struct FilledLog: Sendable {
    let laboratory: Laboratory
    let database: String
    private var nextBatch: Int64 = 0

    /// - Parameter database: has Skein's tables.
    init(_ laboratory: Laboratory, database: String) async throws {
        self.laboratory = laboratory
        self.database = database
        try await laboratory.runScript("fill.sql", in: database)
    }

    /// Appends until the log has at least so many events; one in ten is a correction.
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
        let batches = nextBatch..<nextBatch + Int64((findings + 899) / 900)
        try await laboratory.withConnection(try laboratory.owner(database)) { connection in
            for batch in batches {
                try await connection.query(
                    "select bench.fill(\(batch), \(template), \(account), 'two adults and a chick')")
            }
        }
        nextBatch = batches.upperBound
    }
}
