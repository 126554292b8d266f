import Foundation
import Postgres
import PrivateServer

/// Seconds from the moment when PostgreSQL accepts writes again to the first that the service acknowledges: after a
/// kill, after a freeze, and after the promotion of a streaming standby.
struct RecoveryTime: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let plan = laboratory.plan
        var (kills, freezes, promotions): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<plan.pairs {
            let (kill, freeze) = try await killAndFreeze()
            kills.append(kill)
            freezes.append(freeze)
            promotions.append(try await promote())
        }
        let frozen = "\(Int(plan.freeze.seconds)) s frozen"
        return [("a kill", kills), (frozen, freezes), ("a promotion", promotions)].map { fault, seconds in
            Reading("first write after \(fault)", seconds, unit: "s", aim: .atMost(5))
        }
    }

    private func killAndFreeze() async throws -> (kill: Double, freeze: Double) {
        let plan = laboratory.plan
        return try await laboratory.withServer { server in
            try await writing({ server.url(user: $0) }) { writers in
                let kill = try await recovery(writers, from: "a kill") {
                    try await server.interrupt(mode: .immediate)
                    try await Task.sleep(for: plan.outage)
                    async let started: Void = server.resume()
                    let back = try await acceptsWrites(server)
                    try await started
                    return back
                }
                let freeze = try await recovery(writers, from: "a freeze") {
                    try await server.freeze(for: plan.freeze)
                    return .now
                }
                return (kill, freeze)
            }
        }
    }

    private func promote() async throws -> Double {
        try await laboratory.withStreamingPair { primary, standby in
            try await writing({ PrivateServer.url(of: [primary, standby], user: $0) }) { writers in
                try await recovery(writers, from: "a promotion") {
                    try await primary.interrupt(mode: .immediate)
                    let owner = try PostgresConfiguration(standby.url(user: .owner))
                    try await laboratory.withConnection(owner) {
                        _ = try await $0.query("select pg_promote(wait => false)")
                    }
                    return try await acceptsWrites(standby)
                }
            }
        }
    }

    /// Serves a database, and has a birder submit all the time.
    private func writing<Value: Sendable>(
        _ url: (PrivateServer.Role) -> String, _ body: @escaping @Sendable (PersistentWriters) async throws -> Value
    ) async throws -> Value {
        try await SupervisedService.with(laboratory, environment: Laboratory.environment(url: url)) { service in
            let birder = APIClient.Birder()
            _ = try await service.client.register(birder)
            return try await PersistentWriters.with(try await service.client.signedIn(birder), body)
        }
    }

    /// - Parameter fault: returns when PostgreSQL has begun to accept writes again.
    private func recovery(
        _ writers: PersistentWriters, from what: String, _ fault: () async throws -> ContinuousClock.Instant
    ) async throws -> Double {
        let (first, all) = try await writers.acknowledgements(after: try await fault())
        show(
            "after \(what): a write in \(first.seconds.short) s, one of each of \(PersistentWriters.count) writers in "
                + "\(all.seconds.short) s")
        return first.seconds
    }

    /// Waits until a server accepts writes.
    private func acceptsWrites(_ server: PrivateServer) async throws -> ContinuousClock.Instant {
        let owner = try PostgresConfiguration(server.url(user: .owner))
        while true {
            let accepts = try? await laboratory.withConnection(owner) { connection in
                try await connection.query("select not pg_is_in_recovery() as accepts").onlyRow()
                    .decode("accepts", as: Bool.self)
            }
            if accepts == true { return .now }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
