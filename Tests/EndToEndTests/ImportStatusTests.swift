import Foundation
import TestSupport
import Testing

extension EndToEndTests {
    /// Each command starts a process of its own, which takes about a second.
    @Test func `an import that did nothing, or rejected every row, ends with status 1`() async throws {
        let service = try ServedSkein.required
        let header = "occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate"
        func run(_ row: String, _ options: [String], status: Int32) async throws -> String {
            let file = service.folder + "/statuses.csv"
            try Data("\(header)\n\(row)".utf8).write(to: URL(filePath: file))
            return try await service.command(
                ["import", "occurrences", file, "--dataset", "Statuses"] + options, status: status)
        }
        let first = try await run("s1,Catharus guttatus,47.1,-122.1,2019-05-01\n", [], status: 0)
        let batch = try #require(first.firstMatch(of: /Import ([0-9a-f-]{36})/)?.1)
        _ = try await run("", ["--replace"], status: 1)
        _ = try await run("s2,Catharus guttatus,,,2019-05-01\n", [], status: 1)
        let undone = try await service.command(["import", "undo", String(batch)])
        #expect(undone.contains("1 records withdrawn"), "the empty file had withdrawn nothing")
    }
}
