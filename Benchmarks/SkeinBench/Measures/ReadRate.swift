import EventLog
import Foundation
import Logging
import Postgres
import PrivateServer
import ReadModels

/// The reads most common in apps, a second, over the imported records and one birder's many findings, against pgbench
/// with the very statements that each route sends.
struct ReadRate: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let file = try await RecordsFile(laboratory)
        return try await ServedLog.with(laboratory, database: "read", logLevel: .info) { log in
            let took = try await file.run(on: log.service.database).seconds
            show("imported \(file.rows) records in \(took.short) s")
            let taxon = try await log.taxon()
            var filled = try await FilledLog(laboratory, database: log.service.database)
            try await filled.fill(findings: laboratory.plan.findings, of: log.account, taxon: taxon)
            try await log.service.waitUntilFollowed()
            try await laboratory.withConnection(try laboratory.owner(log.service.database)) {
                _ = try await $0.query("vacuum analyze")
            }
            let rate = RouteRate(log) { try await log.signedIn() }
            return [
                try await rate.reading("GET findings?limit=20", "/v1/me/findings?limit=20", aim: 0.3),
                try await rate.reading("GET sightings/{id}", try await sighting(log), aim: 0.3),
                try await rate.reading("GET taxa/{id}/map", try await map(log), aim: 0.4),
            ]
        }
    }

    /// A finding as anyone sees it, with a note, its observer's name and a taxon.
    private func sighting(_ log: ServedLog) async throws -> String {
        struct Findings: Decodable {
            struct Finding: Decodable { let id: UUID }
            let items: [Finding]
        }
        let answer = try await log.signedIn().get("/v1/me/findings?limit=1")
        guard let finding = try answer.decoded(Findings.self).items.first else {
            throw ProgramError(description: "the birder has no findings")
        }
        return "/v1/sightings/\(finding.id.uuidString.lowercased())"
    }

    /// The box of a tenth of a degree whose records of one taxon are nearest to 160, as large as they need it.
    private func map(_ log: ServedLog) async throws -> String {
        try await laboratory.withConnection(try laboratory.service(log.service.database)) { connection in
            let row = try await connection.query(
                """
                select taxon, count(*) as records,
                       min(longitude) || ',' || min(latitude) || ',' || max(longitude) || ',' || max(latitude) as box
                  from \(identifier: ReadModel.sightingsPublic.schema).records
                 where kind = 'record' and upper_inf(valid) and upper_inf(shown) and dataset is not null
                   and taxon is not null
                 group by taxon, round(latitude::numeric, 1), round(longitude::numeric, 1)
                 order by abs(count(*) - 160), taxon limit 1
                """
            ).onlyRow()
            show("a map of \(try row.decode("records", as: Int.self)) records")
            let taxon = try row.decode("taxon", as: UUID.self).uuidString.lowercased()
            return "/v1/taxa/\(taxon)/map?bbox=\(try row.decode("box", as: String.self))"
        }
    }
}
