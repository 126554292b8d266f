import Foundation

/// The table of ranges as `scripts/reference` computes it from a CSV export.
struct ReferenceRanges: Sendable {
    private let laboratory: Laboratory
    private let python: Program
    private let shell: Program

    /// Finds a Python with the packages of `scripts/reference/requirements.txt`: that of `make readers`, or that on the
    /// PATH.
    /// - Returns: nil if there is none.
    static func found(_ laboratory: Laboratory) async throws -> ReferenceRanges? {
        let environment = Program(path: Plan.package + "/.build/reference-venv/bin/python")
        for python in [environment, try? Program("python3")].compactMap(\.self)
        where FileManager.default.isExecutableFile(atPath: python.path) {
            do {
                try await python.run(
                    ["-B", "-c", "import numpy, pymannkendall, pyproj, scipy, shapely"], in: laboratory.folder)
                return ReferenceRanges(laboratory: laboratory, python: python, shell: try Program("sh"))
            } catch is ProgramError {
                continue
            }
        }
        return nil
    }

    /// Computes the ranges of all species of a file, on one processor.
    /// - Returns: the rows.
    func rows(of file: String, on processor: OneProcessor) async throws -> Int {
        let output = laboratory.folder + "/reference.ndjson"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let script = Plan.package + "/scripts/reference/ranges"
        try await shell.run(
            ["-c", "exec \"$@\" > \"$0\"", output] + processor.command(python) + ["-B", script, file, "--all-taxa"],
            in: laboratory.folder)
        // Each row has this member once. A line has the rows of a species.
        let count = try await shell.run(
            ["-c", "grep -o '\"leftOut\":' \"$0\" | wc -l", output], in: laboratory.folder)
        return Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }
}
