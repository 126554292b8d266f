import Foundation
import Testing

@testable import Exchange

struct OutgoingSurveyTests {
    /// Those of `survey-1` as they were first published. Further columns may follow; none of these may change.
    private static let first: [SurveyTable: [String]] = [
        .visits: [
            "visit", "dataset", "from", "to", "cellLatitude", "cellLongitude", "protocol", "minutes", "distanceKm",
            "observers", "complete", "listLength",
        ],
        .detections: ["visit", "taxon", "scientificName", "count", "occurrenceID"],
        .noAbsence: ["taxon", "scientificName", "category"],
    ]

    @Test func `columns are only ever added, at the end of a table`() throws {
        for table in SurveyTable.allCases {
            let first = try #require(Self.first[table])
            #expect(Array(table.columns.map(\.name).prefix(first.count)) == first)
            #expect(table.columns.allSatisfy { $0.kind != .text || $0.unit == nil })
        }
    }

    @Test func `the document lists the columns of every table in their order`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/exports.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n### Surveys\n").last)
            .components(separatedBy: "\n## ")[0]
        for table in SurveyTable.allCases {
            let part = try #require(section.components(separatedBy: "\n`\(table.file)` has").dropFirst().first)
            let lines = part.split(separator: "\n").drop { !$0.hasPrefix("| `") }.prefix { $0.hasPrefix("| `") }
            let names = lines.map { $0.split(separator: "`")[1] }.map(String.init)
            #expect(names == table.columns.map(\.name), "\(table)")
        }
    }

    @Test func `the same rows give the same bytes, and control characters become spaces`() throws {
        let folder = try TemporaryFolder()
        func archive(_ name: String) throws -> (bytes: [UInt8], replaced: Int) {
            let path = "\(folder.path)/\(name)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let survey = try OutgoingSurvey(in: path)
            try survey.append(["t", "Aus \"bus\"", "2"], to: .noAbsence)
            try survey.append(["v", "t", "A,\nus", nil, "id"], to: .detections)
            try survey.append(["v"] + [String?](repeating: nil, count: 9) + ["true", "1"], to: .visits)
            let finished = try survey.finish()
            #expect(finished.members.map(\.name) == ["visits.csv", "detections.csv", "no-absence.csv"])
            var bytes: [UInt8] = []
            while let part = try finished.nextPart() { bytes += part.bytes }
            return (bytes, survey.replacedCharacters)
        }
        let one = try archive("one")
        #expect(try archive("two").bytes == one.bytes && one.replaced == 1)
        let path = try folder.write("survey.zip", one.bytes)
        let zip = try ArchiveContainer(path: path, kind: .zip, limits: .init())
        func text(_ name: String) throws -> String {
            String(decoding: try zip.contents(of: name, limit: 10_000), as: UTF8.self)
        }
        #expect(try text("detections.csv") == "visit,taxon,scientificName,count,occurrenceID\r\nv,t,\"A, us\",,id\r\n")
        #expect(try text("no-absence.csv").hasSuffix("\r\nt,\"Aus \"\"bus\"\"\",2\r\n"))
        #expect(try text("visits.csv").hasSuffix("\r\nv,,,,,,,,,,true,1\r\n"))
    }
}
