import Foundation
import Postgres
import PrivateServer

/// A birder's page of findings a second with one, two and three servers. Where all share two processors this shows that
/// reads are spread, not how much faster they get.
struct StandbyReads: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let database = "standbys"
        let birder = APIClient.Birder()
        try await laboratory.makeDatabaseIfMissing(database)
        let alone = try await SkeinService.with(laboratory, database: database) { service in
            let account = try await service.client.register(birder)
            var filled = try await FilledLog(laboratory, database: database)
            try await filled.fill(findings: laboratory.plan.findings, of: account, taxon: UUID())
            try await service.waitUntilFollowed()
            try await laboratory.withConnection(try laboratory.owner(database)) { _ = try await $0.query("analyze") }
            return try await self.rates(service, birder, [laboratory.server])
        }
        var readings: [Reading] = []
        var servers = [laboratory.server]
        let result: Result<Void, any Error>
        do {
            for count in 1...2 {
                servers.append(
                    try await laboratory.server.startStandby(
                        dataDirectory: laboratory.folder + "/standby\(count)",
                        settings: PrivateServerSettings(maxConnections: 200), logger: laboratory.logger))
                let rates = try await SkeinService.with(
                    laboratory, database: database, readingFrom: Array(servers.dropFirst())
                ) { [servers] in try await self.rates($0, birder, servers) }
                let pairs = Pairs(ours: rates, reference: alone)
                readings.append(
                    Reading("GET findings, \(servers.count) servers", pairs, unit: "/s", aim: .atLeast(0.8)))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for standby in servers.dropFirst() { _ = try? await standby.stop() }
        try result.get()
        return readings
    }

    /// The rate of each run; prints how the transactions of all runs were spread.
    private func rates(
        _ service: SkeinService, _ birder: APIClient.Birder, _ servers: [PrivateServer]
    ) async throws -> [Double] {
        let wrk = try WrkLoad(laboratory)
        // The standbys are looked at once a second.
        _ = try await wrk.run(.get("/v1/me/findings?limit=20"), try await service.client.signedIn(birder), seconds: 4)
        let before = try await commits(servers, service.database)
        var rates: [Double] = []
        for _ in 0..<laboratory.plan.pairs {
            let client = try await service.client.signedIn(birder)
            rates.append(try await wrk.run(.get("/v1/me/findings?limit=20"), client))
        }
        // A session reports its statistics once a second.
        try await Task.sleep(for: .seconds(2))
        let spread = zip(try await commits(servers, service.database), before).map { $0 - $1 }
        show("\(servers.count) servers: \(rates.median.short) /s, transactions \(spread)")
        return rates
    }

    /// The transactions that each server has committed in a database.
    private func commits(_ servers: [PrivateServer], _ database: String) async throws -> [Int64] {
        var commits: [Int64] = []
        for server in servers {
            let configuration = try PostgresConfiguration(server.url(database: PrivateServer.database, user: .owner))
            let row = try await laboratory.withConnection(configuration) { connection in
                try await connection.query(
                    "select xact_commit as commits from pg_stat_database where datname = \(database)"
                ).onlyRow()
            }
            commits.append(try row.decode("commits"))
        }
        return commits
    }
}
