/// The 99th percentile of a submission's latency at half the rate that was reached, from its due time, against INSERTs
/// on pgbench's schedule.
struct PostLatency: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run(_ figures: inout Session.Figures) async throws -> [Reading] {
        try await ServedLog.with(laboratory) { log in
            let rate = try await rate(log, &figures) / 2
            let pgbench = try PgbenchLoad.inserts(laboratory, payload: try await log.payload())
            let seconds = laboratory.plan.seconds
            let pairs = try await Pairs.taken(laboratory.plan.pairs, "p99 at \(rate.short)/s") {
                try await laboratory.checkpoint()
                let latencies = try await load(log, rate: rate, seconds: seconds).run()
                show("  median \(latencies.median.short) ms, p99 \(latencies.quantile(0.99).short) ms")
                return latencies.quantile(0.99)
            } reference: {
                try await log.service.waitUntilFollowed()
                try await laboratory.checkpoint()
                return try await pgbench.run(rate: rate).quantile(0.99)
            }
            return [Reading("POST p99 at \(rate.short)/s, open loop", pairs, unit: "ms", aim: .atMost(3))]
        }
    }

    private func rate(_ log: ServedLog, _ figures: inout Session.Figures) async throws -> Double {
        if let posted = figures.posted { return posted }
        let wrk = try WrkLoad(laboratory)
        var rates: [Double] = []
        for _ in 0..<3 {
            rates.append(try await wrk.run(.post, try await log.signedIn(), connections: 64))
        }
        figures.posted = rates.median
        return rates.median
    }

    private func load(_ log: ServedLog, rate: Double, seconds: Int) async throws -> OpenLoop {
        OpenLoop(
            port: log.service.port, token: try await log.signedIn().token, rate: rate, seconds: seconds,
            connections: 64, requests: .submissions(Submissions.bodies))
    }
}
