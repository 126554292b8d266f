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

    @Test func `the visits of known rows are noted, and columns that are not there are named`() async throws {
        let service = try ServedSkein.required
        let file = service.folder + "/visits.csv"
        let rows = [
            "occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate,eventID,point",
            "v1,Catharus guttatus,47.1,-122.1,2019-05-01,E1,P1", "v2,Catharus guttatus,47.1,-122.1,2019-05-01,E1,",
        ]
        try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
        func run(_ options: [String], status: Int32 = 0) async throws -> String {
            try await service.command(
                ["import", "occurrences", file, "--dataset", "Visits"] + options, status: status)
        }
        _ = try await run([])
        _ = try await run(["--complete"], status: 64)
        _ = try await run(["--visit", "eventID,eventID"], status: 1)
        _ = try await run(["--visit", "eventID,plot"], status: 1)
        let noted = try await run(["--visit", "eventID,point", "--complete"])
        let lines = noted.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.contains(["already", "known", "2"]) && lines.contains(["corrected", "0"]))
        #expect(lines.contains(["of", "these,", "whose", "visit", "was", "noted", "1"]))
        #expect(lines.contains(["without", "a", "visit:", "a", "column", "of", "--visit", "is", "empty", "1"]))
    }

    @Test func `a dataset gets another title, and is found by both`() async throws {
        let service = try ServedSkein.required
        let file = service.folder + "/titles.csv"
        let rows =
            "occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate\nt1,Corvus corax,,,2019-05-01"
        try Data(rows.utf8).write(to: URL(filePath: file))
        _ = try await service.command(["import", "occurrences", file, "--dataset", "Mispelt counts"], status: 1)
        let described = try await service.command([
            "dataset", "describe", "Mispelt counts", "--title", "Misspelt counts", "--rights-holder", "Wren Society",
        ])
        let id = try #require(described.firstMatch(of: /Dataset ([0-9a-f-]{36})\n/)?.1)
        #expect(described.contains("title: Misspelt counts\n") && described.contains("rightsHolder: Wren Society"))
        let list = try await service.command(["import", "list"])
        #expect(list.contains("Misspelt counts  \(id)\n") && !list.contains("Mispelt counts"))
        let again = try await service.command(
            ["import", "occurrences", file, "--dataset", "Mispelt counts", "--dry-run"], status: 1)
        #expect(again.contains(#"which is now called "Misspelt counts""#))
        for (arguments, status) in [
            ([String(id)], 64), ([String(id), "--title", " "], 64), (["No such counts", "--title", "Any"], 1),
        ] {
            _ = try await service.command(["dataset", "describe"] + arguments, status: Int32(status))
        }
    }
}
