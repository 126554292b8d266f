/// Events appended a second in batches of 300 over one connection, followers at work, against multi-row INSERTs.
struct AppendRate: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run(_ figures: inout Session.Figures) async throws -> [Reading] {
        let pairs = try await ServedLog.with(laboratory) { log in try await measure(log) }
        figures.appended = pairs.ours.median
        return [Reading("append in batches of \(AppendLoad.batch)", pairs, unit: "events/s", aim: .atLeast(0.6))]
    }

    private func measure(_ log: ServedLog) async throws -> Pairs {
        let load = AppendLoad()
        let database = try laboratory.service(log.service.database)
        return try await laboratory.withConnection(try laboratory.owner(Laboratory.batchReference)) { connection in
            try await Pairs.taken(laboratory.plan.pairs, "append") {
                let commands = try load.commands(laboratory.plan.appended)
                try await laboratory.checkpoint()
                let (rate, batch) = try await load.append(commands, to: database, logger: laboratory.logger)
                show("  batches of \(batch.short)")
                return rate
            } reference: {
                let commands = try load.commands(laboratory.plan.appended)
                try await log.service.waitUntilFollowed()
                try await laboratory.checkpoint()
                return try await load.insert(commands, over: connection)
            }
        }
    }
}
