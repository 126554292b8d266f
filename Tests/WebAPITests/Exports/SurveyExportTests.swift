import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Exchange
@testable import Service
@testable import Web

/// Exports of visits with their records.
struct SurveyExportTests {
    private typealias Row = [String: String]

    private struct Scene {
        let exports: ExportScene
        let birder: Caller
        let moderator: Caller

        static func run(_ body: @Sendable (Scene) async throws -> Void) async throws {
            try await ExportScene.run { exports in
                try await body(
                    Scene(
                        exports: exports, birder: try await Caller.register(exports.served),
                        moderator: try await Caller.register(exports.served, role: .moderator)))
            }
        }

        /// A sighting of an outing.
        @discardableResult
        func add(
            _ name: String, on outing: UUID, isComplete: Bool = true, isApproved: Bool = true, more: String = ""
        ) async throws -> String {
            let visit =
                #"{"id":"\#(outing.uuidString.lowercased())","startedAt":"2026-05-01T07:00:00-07:00","minutes":45,"#
                + #""distanceKm":1.5,"observers":2,"complete":\#(isComplete)}"#
            let sent = try await birder.submit(Caller.sighting(name, more: #","visit":\#(visit)\#(more)"#))
            let id = try #require(try sent.text("id"), "\(String(buffer: sent.body))")
            guard isApproved else { return id }
            let decided = try await moderator.send(
                .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            try #require(decided.status == .ok, "\(String(buffer: decided.body))")
            return id
        }

        /// Asks for a survey of now, and makes it.
        func survey(_ filter: String = "{}") async throws -> String {
            try await exports.served.followToHead()
            let asked = try await exports.ask(#"{"format":"survey","filter":\#(filter)}"#, by: birder)
            let id = try #require(try asked.text("id"), "\(String(buffer: asked.body))")
            try await exports.make()
            return id
        }

        /// The rows of its tables, by their files.
        func tables(_ id: String) async throws -> [String: [Row]] {
            let data = try await exports.data(id)
            try #require(data.status == .ok, "\(String(buffer: data.body))")
            let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).zip"
            try Data(data.body.readableBytesView).write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let archive = try ArchiveContainer(path: path, kind: .zip, limits: ArchiveLimits())
            var tables: [String: [Row]] = [:]
            for table in SurveyTable.allCases {
                let text = String(decoding: try archive.contents(of: table.file, limit: 1_000_000), as: UTF8.self)
                var lines = text.split(separator: "\r\n").map {
                    $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                }
                let headings = lines.removeFirst()
                #expect(headings == table.columns.map(\.name))
                tables[table.rawValue] = lines.map { Row(uniqueKeysWithValues: zip(headings, $0)) }
            }
            return tables
        }
    }

    @Test func `every detection has its visit, and a complete visit its whole list`() async throws {
        try await Scene.run { scene in
            let (whole, partial, waiting) = (UUID(), UUID(), UUID())
            let wren = try await scene.add("Pacific Wren", on: whole)
            try await scene.add("Song Sparrow", on: whole)
            try await scene.add("Song Sparrow", on: partial, isComplete: false)
            try await scene.add("Pacific Wren", on: waiting)
            try await scene.add("Song Sparrow", on: waiting, isApproved: false)
            let id = try await scene.survey()
            let tables = try await scene.tables(id)
            let (visits, detections) = (try #require(tables["visits"]), try #require(tables["detections"]))
            #expect(visits.count == 3 && detections.count == 4)
            let ids = visits.compactMap { $0["visit"] }
            #expect(ids == ids.sorted() && Set(detections.compactMap { $0["visit"] }) == Set(ids))
            let keys = detections.map { "\($0["visit"] ?? "") \($0["occurrenceID"] ?? "")" }
            #expect(keys == keys.sorted())
            let complete = visits.filter { $0["complete"] == "true" }
            let row = try #require(complete.first)
            #expect(complete.count == 1 && row["listLength"] == "2" && row["dataset"] == "")
            #expect(row["minutes"] == "45" && row["distanceKm"] == "1.5" && row["observers"] == "2")
            #expect(row["from"] == "2026-05-01" && row["to"] == "2026-05-01")
            let centre = MarginCell(Coordinate(uncheckedLatitude: 47.6577, longitude: -122.4056)).centre
            let latitude = try #require(row["cellLatitude"].flatMap { Double($0) })
            #expect(abs(latitude - centre.latitude) < 1e-6)
            let found = detections.filter { $0["visit"] == row["visit"] }
            #expect(Set(found.compactMap { $0["scientificName"] }) == ["Melospiza melodia", "Troglodytes pacificus"])
            #expect(found.contains { $0["occurrenceID"] == "urn:uuid:\(wren)" && $0["count"] == "2" })
            #expect(!ids.contains(whole.uuidString.lowercased()))
            #expect(tables["no-absence"]?.isEmpty == false)
            #expect(tables["no-absence"]?.allSatisfy { (1...4).contains(Int($0["category"] ?? "") ?? 0) } == true)
            let manifest = try await scene.exports.send(.get, "/v1/exports/\(id)/manifest")
            #expect(
                try manifest["members"]?.items.compactMap { $0["name"]?.string } == SurveyTable.allCases.map(\.file))
            #expect(try manifest["rows"] == .integer(4))
            #expect(try manifest.text("title")?.hasPrefix("Visits, as of ") == true)
        }
    }

    /// Otherwise what is missing, or added, would lead to them.
    @Test func `hidden records of a visit change no byte`() async throws {
        try await Scene.run { scene in
            let (open, hidden) = (UUID(), UUID())
            try await scene.add("Pacific Wren", on: open)
            let before = try await scene.exports.data(try await scene.survey(#"{"country":"US"}"#)).body
            for outing in [open, hidden] {
                try await scene.add("Spotted Owl", on: outing)
                for geoprivacy in ["obscured", "private"] {
                    try await scene.add("Song Sparrow", on: outing, more: #","geoprivacy":"\#(geoprivacy)""#)
                }
            }
            let after = try await scene.exports.data(try await scene.survey(#"{"from":"2026-05-01"}"#)).body
            #expect(before == after)
        }
    }

    @Test func `a narrowed record takes the survey back, and leaves the next one`() async throws {
        try await Scene.run { scene in
            let outing = UUID()
            let wren = try await scene.add("Pacific Wren", on: outing)
            try await scene.add("Song Sparrow", on: outing)
            let id = try await scene.survey()
            let narrowed = try await scene.birder.send(
                .patch, "/v1/me/findings/\(wren)", headers: [.ifMatch: "*"], json: #"{"geoprivacy":"obscured"}"#)
            try #require(narrowed.status == .ok, "\(String(buffer: narrowed.body))")
            try await scene.exports.served.followToHead()
            try await ServedRoutes.$now.withValue(scene.exports.later) {
                try await scene.exports.served.cases.exports.watch.look()
            }
            #expect(try await scene.exports.data(id, "?revision=1").problem == "export-restricted")
            // It is made when it is asked for.
            _ = try await scene.exports.data(id)
            try await scene.exports.make()
            let tables = try await scene.tables(id)
            #expect(tables["detections"]?.compactMap { $0["scientificName"] } == ["Melospiza melodia"])
            #expect(tables["visits"]?.compactMap { $0["listLength"] } == ["1"])
        }
    }

    @Test func `a survey has whole visits, and no errata`() async throws {
        try await Scene.run { scene in
            let conditions = [
                #""kind":"bird""#, #""minConfidence":5"#, #""maxUncertaintyMetres":100"#, #""hasPhoto":true"#,
                #""captive":false"#,
            ]
            for condition in conditions {
                let asked = try await scene.exports.ask(
                    #"{"format":"survey","filter":{\#(condition)}}"#, by: scene.birder)
                #expect(asked.status == .unprocessableContent, "\(condition)")
                let pointer = "/filter/" + (condition.split(separator: "\"").first.map(String.init) ?? "")
                #expect(try asked["errors.0.pointer"]?.string == pointer, "\(condition)")
            }
            let id = try await scene.survey()
            let errata = try await scene.exports.send(.get, "/v1/exports/\(id)/errata")
            #expect(try errata.status == .conflict && errata.problem == "conflict")
        }
    }
}
