import Foundation
import NIOConcurrencyHelpers

/// The file of real records, and its import by `skein`.
struct RecordsFile: Sendable {
    /// Rows under the header.
    let rows: Int
    private let path: String
    private let laboratory: Laboratory

    /// Takes the plan's file, or the first rows of it.
    /// - Throws: ``ProgramError`` when it is not there.
    init(_ laboratory: Laboratory) async throws {
        self.laboratory = laboratory
        let file = laboratory.plan.records
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw ProgramError(description: "\(file) is not there: --records says where it is")
        }
        let table = laboratory.folder + "/records.csv"
        let limit = laboratory.plan.importedRows.map { "head -n \($0 + 1)" } ?? "cat"
        let shell = try Program("sh")
        // head ends before zcat has written all: its status is not what counts.
        try await shell.run(["-c", "zcat -f \"$0\" | \(limit) > \"$1\"", file, table], in: laboratory.folder)
        let count = try await shell.run(["-c", "wc -l < \"$0\"", table], in: laboratory.folder)
        rows = (Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 1) - 1
        path = table
    }

    /// Imports all rows as a dataset that is not there yet.
    /// - Parameter options: further options of the import.
    /// - Returns: how long it took, and the most memory the importing process held, in mebibytes.
    func run(on database: String, _ options: [String] = []) async throws -> (seconds: Double, peak: Double) {
        let title = "NEON breeding landbirds, " + UUID().uuidString
        let process = NIOLockedValueBox(Int32(0))
        let sampling = Task {
            var peak = 0.0
            while !Task.isCancelled {
                peak = max(peak, ResidentMemory.mebibytes(of: process.withLockedValue { $0 }) ?? 0)
                try? await Task.sleep(for: .milliseconds(100))
            }
            return peak
        }
        defer { sampling.cancel() }
        let took = try await AppendLoad.timed {
            try await laboratory.skein.run(
                ["import", "occurrences", path, "--dataset", title, "--licence", "CC0-1.0", "--republish", "yes"]
                    + options,
                environment: laboratory.environment(database), in: laboratory.folder
            ) { id in process.withLockedValue { $0 = id } }
        }
        sampling.cancel()
        return (took.seconds, await sampling.value)
    }
}
