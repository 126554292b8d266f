import Foundation
import Logging
import Postgres

/// `GET /v1/me/targets` a second for a birder with many findings, one of which counts for a target, against pgbench
/// with the very statements that the route sends.
struct TargetRate: Sendable {
    private struct Own: Decodable {
        struct Week: Decodable {
            struct Target: Decodable {
                let id: UUID
                let captured: String
            }
            let startsAt: Date
            let targets: [Target]
        }
        let week: Week?
    }

    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        try await ServedLog.with(laboratory, database: "targets", logLevel: .info) { log in
            var filled = try await FilledLog(laboratory, database: log.service.database)
            try await filled.fill(
                findings: laboratory.plan.findings, of: log.account, taxon: try await log.taxon())
            try await capture(log)
            try await log.service.waitUntilFollowed()
            try await laboratory.withConnection(try laboratory.owner(log.service.database)) {
                _ = try await $0.query("vacuum analyze")
            }
            let rate = RouteRate(log) { try await log.signedIn() }
            return [try await rate.reading("GET me/targets", "/v1/me/targets", aim: 0.3)]
        }
    }

    /// Submits a finding for one of the week's targets.
    /// - Throws: ``ProgramError`` when the service does not choose targets within a minute.
    private func capture(_ log: ServedLog) async throws {
        let client = try await log.signedIn()
        let target = try await target(client)
        let body = """
            {"targetId":"\(target.uuidString.lowercased())","count":1,"confidence":8,\
            "observedAt":"\(Date.now.formatted(.iso8601))","latitude":47.6577,"longitude":-122.4056}
            """
        try await client.post("/v1/sightings", Array(body.utf8)).expect(201, "submitting")
        try await log.service.waitUntilFollowed()
        let own = try await own(client)
        guard own.week?.targets.contains(where: { $0.id == target && $0.captured == "sent" }) == true else {
            throw ProgramError(description: "the finding does not count for its target")
        }
    }

    private func target(_ client: APIClient) async throws -> UUID {
        for _ in 0..<300 {
            if let target = try await own(client).week?.targets.first { return target.id }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw ProgramError(description: "the service has chosen no targets")
    }

    private func own(_ client: APIClient) async throws -> Own {
        let answer = try await client.get("/v1/me/targets")
        try answer.expect(200, "the birder's targets")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Own.self, from: Data(answer.body))
    }
}
