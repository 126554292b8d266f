/// Acknowledged `POST /v1/sightings` a second, against one-row INSERTs.
struct PostRate: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run(_ figures: inout Session.Figures) async throws -> [Reading] {
        let wrk = try WrkLoad(laboratory)
        return try await ServedLog.with(laboratory) { log in
            var readings: [Reading] = []
            for (connections, aim) in [(64, 0.8), (256, 1.0)] {
                for keys in WrkLoad.Keys.allCases {
                    let pairs = try await pairs(log, wrk, keys, connections)
                    if connections == 64, keys == .v7 { figures.posted = pairs.ours.median }
                    readings.append(
                        Reading(
                            "POST \(keys.rawValue), \(connections) connections", pairs, unit: "/s", aim: .atLeast(aim)))
                }
            }
            return readings
        }
    }

    private func pairs(
        _ log: ServedLog, _ wrk: WrkLoad, _ keys: WrkLoad.Keys, _ connections: Int
    ) async throws -> Pairs {
        let pgbench = try PgbenchLoad(laboratory, payload: try await log.payload())
        let seconds = laboratory.plan.seconds
        _ = try await wrk.run(try await log.signedIn(), keys: keys, connections: connections, seconds: 2)
        return try await Pairs.taken(laboratory.plan.pairs, "POST \(keys.rawValue) \(connections)") {
            let client = try await log.signedIn()
            try await laboratory.checkpoint()
            return try await wrk.run(client, keys: keys, connections: connections, seconds: seconds)
        } reference: {
            try await log.service.waitUntilFollowed()
            try await laboratory.checkpoint()
            return try await pgbench.run(seconds: seconds)
        }
    }
}
