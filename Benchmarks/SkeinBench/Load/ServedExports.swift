import Foundation
import Postgres

/// Exports that the service makes on request.
struct ServedExports: Sendable {
    /// No limits, and what archives need.
    static let settings = [
        "SKEIN_EXPORTS_PER_DAY": "0", "SKEIN_UNVERIFIED_DAILY_EXPORTS": "0", "SKEIN_UNFINISHED_EXPORTS": "0",
        "SKEIN_PUBLIC_URL": "https://bench.example.org", "SKEIN_ORGANISATION": "Skein bench",
        "SKEIN_CONTACT": "bench@example.org",
    ]

    let log: ServedLog

    /// Asks for an export of the present, and waits until it is made.
    /// - Returns: the path of its bytes.
    /// - Throws: ``ProgramError`` when it fails.
    func make(_ format: String, _ client: APIClient) async throws -> String {
        struct Export: Decodable {
            let id: UUID
            let state: String
        }
        let asked = try await client.post("/v1/exports", Array(#"{"format":"\#(format)"}"#.utf8))
        try asked.expect(202, "asking for an export")
        var export = try asked.decoded(Export.self)
        let path = "/v1/exports/\(export.id.uuidString.lowercased())"
        while export.state != "ready" {
            guard ["queued", "running"].contains(export.state) else {
                throw ProgramError(description: "an export is \(export.state)")
            }
            try await Task.sleep(for: .milliseconds(50))
            export = try await client.get(path).decoded(Export.self)
        }
        return path + "/data"
    }

    /// Has exports made, always two at a time, so that the service is never without one.
    func keepMaking(_ format: String, _ client: APIClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { while !Task.isCancelled { _ = try await make(format, client) } }
            }
            try await group.waitForAll()
        }
    }

    /// Returns when no export is being made, and none waits.
    func waitUntilMade() async throws {
        let laboratory = log.laboratory
        try await laboratory.withConnection(try laboratory.owner(log.service.database)) { connection in
            while true {
                let row = try await connection.query(
                    "select count(*) as jobs from vault.jobs where kind = 'export'"
                ).onlyRow()
                if try row.decode("jobs", as: Int64.self) == 0 { return }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
