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
            for (connections, aim) in [(64, 0.5), (256, 0.65)] {
                let pairs = try await pairs(log, wrk, connections)
                if connections == 64 { figures.posted = pairs.ours.median }
                readings.append(
                    Reading("POST, \(connections) connections", pairs, unit: "/s", aim: .atLeast(aim)))
                readings.append(try await ceiling(log, wrk, connections, reference: pairs.reference.median))
            }
            return readings
        }
    }

    private func pairs(_ log: ServedLog, _ wrk: WrkLoad, _ connections: Int) async throws -> Pairs {
        let pgbench = try PgbenchLoad.inserts(laboratory, payload: try await log.payload())
        _ = try await wrk.run(.post, try await log.signedIn(), connections: connections, seconds: 2)
        return try await Pairs.taken(laboratory.plan.pairs, "POST \(connections)") {
            let client = try await log.signedIn()
            try await laboratory.checkpoint()
            return try await wrk.run(.post, client, connections: connections)
        } reference: {
            try await log.service.waitUntilFollowed()
            try await laboratory.checkpoint()
            return try await pgbench.run()
        }
    }

    /// The upper bound for any service on this Hummingbird and this PostgreSQL: the time of a bare route that reads the
    /// body and gives the same answer, plus the time of the rows in plain INSERTs of as many as there are connections.
    /// Neither has followers beside it.
    private func ceiling(
        _ log: ServedLog, _ wrk: WrkLoad, _ connections: Int, reference: Double
    ) async throws -> Reading {
        let path = "/v1/sightings"
        let answer = try await log.signedIn().post(path, Array(Submissions.body(1).utf8)).body
        try await log.service.waitUntilFollowed()
        let bare = try await BareServer.with(laboratory, path: path, body: answer) { client in
            _ = try await wrk.run(.post, client, connections: connections, seconds: 2)
            return try await wrk.run(.post, client, connections: connections)
        }
        let load = AppendLoad()
        let rows = try await laboratory.withConnection(try laboratory.owner(Laboratory.batchReference)) { connection in
            try await laboratory.checkpoint()
            return try await load.insert(
                try load.commands(laboratory.plan.appended), over: connection, by: connections)
        }
        show("  a bare route \(bare.short)/s, the rows by hand \(rows.short)/s")
        let both = 1 / (1 / bare + 1 / rows)
        return Reading(
            name: "ceiling of POST, \(connections) connections", ours: "\(both.short) /s",
            reference: "\(reference.short) /s", ratio: (both / reference).short, aim: "-", isMet: nil)
    }
}
