import Domain
import EventLog
import Exchange
import Foundation
import TestSupport
import Testing

@testable import Imports
@testable import Service

/// The imported records of the long scenario: rows of its own, and real ones where they are.
enum LongSources {
    /// The title of the dataset with the scenario's own rows.
    static let title = "Counts at a pond"

    /// The most rows of a real file. The wrens have 5,480; all of NEON would take an hour.
    private static let rows: Int = {
        let breadth = ProcessInfo.processInfo.environment["SKEIN_TEST_BREADTH"].flatMap(Int.init) ?? 100
        return breadth > 100 ? 20_000 : 1_000
    }()

    static func importAll(_ served: ServedRoutes) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ lines: some Sequence<String>) throws -> String {
            let file = folder.appending(path: name)
            try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
            return file.path(percentEncoded: false)
        }
        try await importRows(try write("pond.csv", pond), into: title, served)
        guard TestData.isPresent else { return print("Without the wrens and NEON: \(TestData.absence)") }
        let files = [
            "Wrens": "bbs_pacific_wren/occurrence.csv", "NEON": "neon_landbirds/neon_landbirds.csv.gz",
        ]
        for (name, file) in files {
            let lines = try beginning(of: TestData.url(file).path(percentEncoded: false), lines: rows + 1)
            try await importRows(try write("\(name).csv", lines), into: name, served)
        }
    }

    private static let pond: [String] =
        ["occurrenceID,scientificName,eventDate,decimalLatitude,decimalLongitude,locality,weather"]
        + (1...300).map { number in
            let name = number % 3 == 0 ? "Melospiza melodia" : "Troglodytes pacificus"
            let place = "45.\(1_000 + number),-122.6,\"a pond, no. \(number)\""
            return "pond-\(number),\(name),2018-05-\(number % 20 + 10),\(place),fine"
        }

    private static func importRows(_ file: String, into title: String, _ served: ServedRoutes) async throws {
        var request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle(title))
        (request.licence, request.republish) = (.by, .yes)
        let names = TaxonNames(try await LoggedTaxa(served.cases.ground.pool).entries())
        let summary = try await OccurrenceImport(
            log: served.cases.imports, names: names, places: served.cases.ground.places.index
        ).run(request)
        #expect(summary.accepted > 0 && summary.rejectedTotal == 0, "\(title)")
    }

    private static func beginning(of path: String, lines: Int) throws -> [String] {
        let container = try ContainerKind(path: path).open(path)
        let bytes = try container.open(container.files[0].name).readBytes(upTo: 8 << 20)
        // With CR LF, a line's end is one character.
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).prefix(lines).map(String.init)
    }
}
