import Foundation
import Logging
import Postgres

/// A log for ranges: records of all species in all regions over ten years, a fixed number of them of one species.
struct FilledRanges: Sendable {
    /// The records of that species, spread evenly over the log.
    static let chosen = 5_000
    /// Those with most records, in a small log, too.
    static let regions = ["northeast", "california", "southeast", "great-lakes", "plains"]
    /// So that each of 32 connections of one client gets an answer: with the usual number of turns, most are rejected.
    private static let settings = ["SKEIN_MAPS": "64", "SKEIN_DATABASE_TIMEOUT": "60", "SKEIN_MAP_TIMEOUT": "60"]

    let log: ServedLog
    let records: Int
    /// The species with the fixed number of records.
    let taxon: UUID

    /// Fills a log with at most that many records, and serves it.
    static func with<Value>(
        _ records: Int, _ laboratory: Laboratory, database: String, _ body: (FilledRanges) async throws -> Value
    ) async throws -> Value {
        try await ServedLog.with(laboratory, database: database, logLevel: .info, settings: settings) { log in
            let records = records / chosen * chosen
            let lists = try await FilledLists(log)
            guard let taxon = lists.taxa.last else { throw ProgramError(description: "the service has no species") }
            let took = try await AppendLoad.timed {
                try await lists.fill(records, choosing: (taxon, chosen), among: lists.taxa.dropLast())
            }
            show("filled with \(records) records in \(took.seconds.short) s")
            let followed = try await AppendLoad.timed { try await log.service.waitUntilFollowed() }
            show("followed in \(followed.seconds.short) s more")
            try await laboratory.withConnection(try laboratory.owner(database)) {
                _ = try await $0.query("vacuum analyze")
            }
            try await lists.check(records)
            return try await body(FilledRanges(log: log, records: records, taxon: taxon))
        }
    }

    /// The path of the range of the species with the fixed number of records.
    var path: String { "/v1/taxa/\(taxon.uuidString.lowercased())/ranges" }
}
