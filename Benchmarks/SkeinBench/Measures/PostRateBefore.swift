/// Submissions a second against another build of the service, each with a PostgreSQL of its own and a new log.
struct PostRateBefore: Sendable {
    private let laboratory: Laboratory
    private let connections = 64

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        guard let other = laboratory.plan.other else { return [] }
        let wrk = try WrkLoad(laboratory)
        return try await Laboratory.with(plan: laboratory.plan, skein: other) { before in
            try await ServedLog.with(laboratory, database: "now") { ours in
                try await ServedLog.with(before, database: "before") { theirs in
                    for log in [ours, theirs] {
                        _ = try await wrk.run(.post, log.signedIn(), connections: connections, seconds: 2)
                    }
                    let pairs = try await Pairs.taken(laboratory.plan.pairs, "POST before") {
                        try await rate(of: ours, beside: theirs, wrk)
                    } reference: {
                        try await rate(of: theirs, beside: ours, wrk)
                    }
                    let name = "POST, \(connections) connections, against the other build"
                    return [Reading(name, pairs, unit: "/s", aim: .atLeast(0.95))]
                }
            }
        }
    }

    /// Measures one of them while the other is idle.
    private func rate(of log: ServedLog, beside idle: ServedLog, _ wrk: WrkLoad) async throws -> Double {
        for log in [log, idle] { try await log.service.waitUntilFollowed() }
        let client = try await log.signedIn()
        try await log.laboratory.checkpoint()
        return try await wrk.run(.post, client, connections: connections)
    }
}
