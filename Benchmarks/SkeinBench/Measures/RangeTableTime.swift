import Domain
import Foundation

/// Seconds for the ranges of all species by region and year on one processor, as `skein export` makes the tables of all
/// kinds, against `scripts/reference` with the CSV export of the same records.
struct RangeTableTime: Sendable {
    private let filled: FilledRanges
    private let laboratory: Laboratory

    init(_ filled: FilledRanges) {
        (self.filled, laboratory) = (filled, filled.log.laboratory)
    }

    /// - Returns: nothing where the reference cannot run.
    func run() async throws -> [Reading] {
        guard let reference = try await ReferenceRanges.found(laboratory) else {
            show("skipped: no Python has the packages of scripts/reference; make readers installs them")
            return []
        }
        let folder = laboratory.folder + "/ranges"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let processor = try await OneProcessor(laboratory)
        let records = folder + "/records.csv"
        _ = try await export(["--format", "csv"], to: records, on: processor)
        var (rows, expected) = (0, 0)
        // One pair: the reference takes many minutes.
        let pairs = try await Pairs.taken(1, "table of ranges in s") {
            try await laboratory.checkpoint()
            return try await AppendLoad.timed { rows = try await tables(in: folder, on: processor) }.seconds
        } reference: {
            try await AppendLoad.timed { expected = try await reference.rows(of: records, on: processor) }.seconds
        }
        show("\(rows) rows; the reference has \(expected)\(rows == expected ? "" : ", which MUST BE THE SAME")")
        return [
            Reading(
                "ranges of all species, regions and years, \(filled.records) records, one processor", pairs, unit: "s",
                aim: .atMost(0.25))
        ]
    }

    /// Makes the table of each kind, one after the other.
    /// - Returns: their rows.
    private func tables(in folder: String, on processor: OneProcessor) async throws -> Int {
        try await processor.during {
            var rows = 0
            for kind in TaxonKind.allCases {
                let file = folder + "/\(kind.rawValue).csv"
                rows += try await export(["--format", "ranges", "--kind", kind.rawValue], to: file, on: processor)
            }
            return rows
        }
    }

    /// - Returns: the rows, which are records or of a table.
    private func export(_ options: [String], to file: String, on processor: OneProcessor) async throws -> Int {
        // The reference reads the ids of records from their addresses.
        let environment = laboratory.environment(filled.log.service.database).merging(ServedExports.settings) { $1 }
        let said = try await processor.run(
            laboratory.skein, ["export", "make"] + options + ["--output", file], environment: environment)
        guard let rows = said.firstMatch(of: /: (\d+) (?:rows|records),/).flatMap({ Int($0.1) }) else {
            throw ProgramError(description: "skein export printed \(said)")
        }
        return rows
    }
}
