import Domain
import Service

/// Rows of a survey export a second, against the CSV export of the same records, all of which have a visit.
struct SurveyRate: Sendable {
    /// The records of a visit.
    private static let visited = 10

    private let laboratory: Laboratory
    private let database = "surveyed"

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let records = laboratory.plan.exported
        return try await ServedLog.with(laboratory, database: database, settings: ServedExports.settings) { log in
            try await ExportedRecords(log, onVisitsOf: Self.visited).fill(records)
            let pairs = try await laboratory.withFileExports(of: database) { files in
                try await Pairs.taken(laboratory.plan.pairs, "survey rows/s") {
                    try await rate(.survey, files)
                } reference: {
                    try await rate(.csv, files)
                }
            }
            return [
                Reading(
                    "survey of \(records) records on visits of \(Self.visited), against the CSV export", pairs,
                    unit: "rows/s", aim: .atLeast(0.5))
            ]
        }
    }

    /// - Throws: ``ProgramError`` for other records than were imported.
    private func rate(_ format: ExportFormat, _ files: FileExports) async throws -> Double {
        try await laboratory.checkpoint()
        let start = ContinuousClock.now
        let file = try await files.make(FileExportRequest(format: format, filter: RecordFilter()))
        let took = start.duration(to: .now)
        guard file.facts.contents.rows == laboratory.plan.exported else {
            throw ProgramError(description: "the \(format.rawValue) has \(file.facts.contents.rows) records")
        }
        return Double(file.facts.contents.rows) / took.seconds
    }
}
