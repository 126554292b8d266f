/// The processor time of all projectors for a sighting, against that of `log.append` for the same one.
struct FoldCost: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let wrk = try WrkLoad(laboratory)
        let submitted = try await ServedLog.with(laboratory, database: "folded") { log in
            _ = try await wrk.run(.post, try await log.signedIn(), connections: 64, seconds: 2)
            return try await pairs("folds of a submission", log) {
                let client = try await log.signedIn()
                return { _ = try await wrk.run(.post, client, connections: 64) }
            }
        }
        let file = try await RecordsFile(laboratory)
        let imported = try await ServedLog.with(laboratory, database: "foldedimports") { log in
            try await pairs("folds of an imported record", log) {
                { _ = try await file.run(on: log.service.database) }
            }
        }
        return [
            Reading(
                "folds of a submission, processor time against log.append", submitted, unit: "µs", aim: .atMost(1.3)),
            Reading(
                "folds of an imported record, processor time against log.append", imported, unit: "µs",
                aim: .atMost(1.5)),
        ]
    }

    /// - Parameter load: prepares what appends, and is not measured.
    private func pairs(
        _ what: String, _ log: ServedLog, load: () async throws -> () async throws -> Void
    ) async throws -> Pairs {
        try await Pairs.together(laboratory.plan.pairs, what) {
            let run = try await load()
            try await log.service.waitUntilFollowed()
            try await laboratory.checkpoint()
            let before = try await log.head()
            let time = try await BackendTime.during(
                {
                    try await run()
                    try await log.service.waitUntilFollowed()
                }, laboratory, database: log.service.database)
            let events = Double(try await log.head() - before)
            return (time.folds / events * 1_000_000, time.append / events * 1_000_000)
        }
    }
}
