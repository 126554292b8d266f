import Foundation
import Postgres

/// Pages of findings a second while clients log in all the time, against the same without them.
struct RateBesideLogins: Sendable {
    private static let clients = 20
    private static let path = "/v1/me/findings?limit=20"

    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let wrk = try WrkLoad(laboratory)
        return try await ServedLog.with(laboratory, database: "logins") { log in
            var filled = try await FilledLog(laboratory, database: log.service.database)
            try await filled.fill(findings: 9_000, of: log.account, taxon: try await log.taxon())
            try await log.service.waitUntilFollowed()
            try await laboratory.withConnection(try laboratory.owner(log.service.database)) {
                _ = try await $0.query("vacuum analyze")
            }
            _ = try await wrk.run(.get(Self.path), try await log.signedIn(), seconds: 2)
            let pairs = try await Pairs.taken(laboratory.plan.pairs, "pages beside logins") {
                try await besideLogins(log, wrk, try await log.signedIn())
            } reference: {
                try await wrk.run(.get(Self.path), try await log.signedIn())
            }
            return [
                Reading(
                    "GET findings?limit=20 while \(Self.clients) clients log in", pairs, unit: "/s", aim: .atLeast(0.4))
            ]
        }
    }

    private func besideLogins(_ log: ServedLog, _ wrk: WrkLoad, _ client: APIClient) async throws -> Double {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<Self.clients {
                group.addTask { try await logIn(log, from: "127.0.0.\(number + 2)") }
            }
            let rate = try await wrk.run(.get(Self.path), client)
            group.cancelAll()
            let logins = try await group.reduce(0, +)
            show("  \(logins) logins meanwhile")
            return rate
        }
    }

    /// Logs in until the task is cancelled. Each client has an address of its own: of one address, only a few wait.
    /// - Returns: how many times.
    private func logIn(_ log: ServedLog, from address: String) async throws -> Int {
        var logins = 0
        while !Task.isCancelled {
            do {
                try await log.logIn(from: address)
                logins += 1
            } catch {
                // The last one is broken off.
                guard Task.isCancelled else { throw error }
            }
        }
        return logins
    }
}
