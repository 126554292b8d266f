/// Sightings a second through `POST /v1/sightings/batch`, a hundred in each, against the append rate.
struct BatchRate: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run(_ figures: inout Session.Figures) async throws -> [Reading] {
        if figures.appended == nil { _ = try await AppendRate(laboratory).run(&figures) }
        let appended = figures.appended ?? 0
        let wrk = try WrkLoad(laboratory)
        return try await ServedLog.with(laboratory) { log in
            let pairs = try await Pairs.taken(laboratory.plan.pairs, "batch") {
                try await log.service.waitUntilFollowed()
                let client = try await log.signedIn()
                try await laboratory.checkpoint()
                return try await wrk.run(.postBatch, client) * 100
            } reference: {
                appended
            }
            return [
                Reading("POST batches of 100, against append", pairs, unit: "sightings/s", aim: .atLeast(0.5))
            ]
        }
    }
}
