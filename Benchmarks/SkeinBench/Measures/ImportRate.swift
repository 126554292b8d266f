import Foundation

/// Real records imported a second, with a service following, against the append rate.
struct ImportRate: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run(_ figures: inout Session.Figures) async throws -> [Reading] {
        if figures.appended == nil { _ = try await AppendRate(laboratory).run(&figures) }
        let appended = figures.appended ?? 0
        let file = try await RecordsFile(laboratory)
        return try await ServedLog.with(laboratory, database: "imported") { log in
            var peaks: [Double] = []
            let pairs = try await Pairs.taken(laboratory.plan.pairs, "import") {
                try await log.service.waitUntilFollowed()
                try await laboratory.checkpoint()
                let result = try await file.run(on: log.service.database)
                peaks.append(result.peak)
                return Double(file.rows) / result.seconds
            } reference: {
                appended
            }
            return [
                Reading("import of \(file.rows) records, against append", pairs, unit: "records/s", aim: .atLeast(0.5)),
                Reading("memory of an import", peaks, unit: "MB", aim: .atMost(200)),
            ]
        }
    }
}
