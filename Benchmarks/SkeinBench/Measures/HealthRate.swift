import Logging

/// `GET /healthz` with all middleware and a line of the log for each request, against a route without any.
struct HealthRate: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let wrk = try WrkLoad(laboratory)
        return try await ServedLog.with(laboratory, logLevel: .info) { log in
            let body = try await log.service.client.get("/healthz").body
            let pairs = try await BareServer.with(laboratory, path: "/healthz", body: body) { bare in
                for client in [bare, log.service.client] {
                    _ = try await wrk.run(.get("/healthz"), client, seconds: 2)
                }
                return try await Pairs.taken(laboratory.plan.pairs, "healthz") {
                    try await wrk.run(.get("/healthz"), log.service.client)
                } reference: {
                    try await wrk.run(.get("/healthz"), bare)
                }
            }
            return [Reading("GET /healthz, 32 connections", pairs, unit: "/s", aim: .atLeast(0.75))]
        }
    }
}
