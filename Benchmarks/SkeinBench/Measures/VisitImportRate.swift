/// Real records imported a second with their visits, against without, with a service following.
struct VisitImportRate: Sendable {
    private static let options = ["--visit", "eventID,pointkey,bout", "--complete"]

    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let file = try await RecordsFile(laboratory)
        return try await ServedLog.with(laboratory, database: "visited") { log in
            let pairs = try await Pairs.taken(laboratory.plan.pairs, "import with visits") {
                try await rate(file, Self.options, log)
            } reference: {
                try await rate(file, [], log)
            }
            return [
                Reading(
                    "import of \(file.rows) records with visits, against without", pairs, unit: "records/s",
                    aim: .atLeast(0.9))
            ]
        }
    }

    private func rate(_ file: RecordsFile, _ options: [String], _ log: ServedLog) async throws -> Double {
        try await log.service.waitUntilFollowed()
        try await laboratory.checkpoint()
        return Double(file.rows) / (try await file.run(on: log.service.database, options).seconds)
    }
}
