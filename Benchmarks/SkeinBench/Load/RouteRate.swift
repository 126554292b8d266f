import Foundation
import PrivateServer

/// Requests of one route a second with 32 connections, against pgbench with the very statements that the route sends.
struct RouteRate: Sendable {
    private let log: ServedLog
    private let client: @Sendable () async throws -> APIClient

    /// - Parameter client: makes a client whose access token is fresh.
    init(_ log: ServedLog, as client: @escaping @Sendable () async throws -> APIClient) {
        (self.log, self.client) = (log, client)
    }

    func reading(_ name: String, _ path: String, aim: Double) async throws -> Reading {
        let laboratory = log.laboratory
        let first = try await client()
        let wrk = try WrkLoad(laboratory)
        let route = try await RouteStatements.taken(log) {
            let answer = try await first.get(path)
            try answer.expect(200, path)
        }
        show("\(name): \(path), statements a request: \(route.statements.count)")
        let (text, variables) = route.script
        let script = laboratory.folder + "/" + UUID().uuidString + ".pgbench.sql"
        try Data(text.utf8).write(to: URL(filePath: script))
        let pgbench = try PgbenchLoad(
            laboratory, script: script, variables: variables, clients: 32, database: log.service.database,
            user: .service)
        _ = try await wrk.run(.get(path), first, seconds: 2)
        let pairs = try await Pairs.taken(laboratory.plan.pairs, name) {
            try await wrk.run(.get(path), try await client())
        } reference: {
            try await pgbench.run()
        }
        return Reading("\(name), 32 connections", pairs, unit: "/s", aim: .atLeast(aim))
    }
}
