import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web
@testable import WebAPI

/// `GET /v1/regions/{code}/ranges` and `GET /v1/regions/{code}/species`.
struct RegionRangeRouteTests {
    /// More days than a month has.
    private static let later = 40
    private static let region = "/v1/regions/pacific-northwest"

    @Test func `species have the records of the list, the most extreme first`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            for number in 0..<24 {
                let place = (46.2 + 0.1 * Double(number), -121.4 + 0.05 * Double(number % 7))
                try await scene.add(at: place, on: "2025-05-1\(number % 10)")
            }
            try await scene.add("Song Sparrow", at: (46.1, -121.4), on: "2024-06-02")
            try await scene.add("Great Tit", at: (46.2, -120.9))
            try await scene.add("Great Tit", at: (38.5, -121.5))
            try await served.followToHead()
            let list = try await scene.stranger.send(
                .get, "/v1/sightings?region=pacific-northwest&status=approved,accepted-by-source&limit=200")
            let records = Dictionary(grouping: try #require(try list["items"]?.items)) {
                $0["taxon"]?["id"]?.string ?? ""
            }
            #expect(records.count == 3 && records[scene.wren]?.count == 24)
            for end in RangeEnd.allCases {
                let table = try await scene.stranger.send(.get, "\(Self.region)/ranges?end=\(end.rawValue)&limit=200")
                let items = try #require(try table["items"]?.items)
                #expect(try table["next"] == .null && table.text("region") == "pacific-northwest")
                #expect(try table["statuses"]?.items.map(\.string) == ["approved", "accepted-by-source"])
                #expect(try table.text("parameters.end") == end.rawValue)
                try Self.expect(items, toBeOf: records, end)
                try await Self.expectPages(of: items, end, scene)
            }
            // Without an end, the southern one.
            let south = try await scene.stranger.send(.get, "\(Self.region)/ranges?kind=bird")
            #expect(try south.text("items.0.taxon.commonName") == "Song Sparrow")
            #expect(try await scene.stranger.send(.get, "\(Self.region)/ranges?kind=mammal")["items"] == .array([]))
            let year = try await scene.stranger.send(.get, "\(Self.region)/ranges?from=2025-01-01&to=2025-12-31")
            #expect(try year["items"]?.items.count == 1 && year.text("items.0.taxon.id") == scene.wren)
            try await Self.expectSpecies(of: records, scene)
        }
    }

    private static func expect(_ items: [JSONValue], toBeOf records: [String: [JSONValue]], _ end: RangeEnd) throws {
        #expect(items.count == records.count)
        let keys = try items.map {
            (
                try #require($0["extreme"]?["latitude"]?.number) * (end == .south ? 1 : -1),
                $0["taxon"]?["id"]?.string ?? ""
            )
        }
        #expect(keys.elementsEqual(keys.sorted { $0 < $1 }) { $0 == $1 })
        for item in items {
            let own = try #require(records[item["taxon"]?["id"]?.string ?? ""])
            let places = try own.map { record in
                RangeRecord(
                    id: try #require(record["id"]?.string.flatMap(SightingID.init)),
                    place: try Coordinate(
                        latitude: try #require(record["latitude"]?.number),
                        longitude: try #require(record["longitude"]?.number)))
            }
            let cells = OccupiedCells(of: places.map(\.place), side: .ten)
            let extreme = ExtremeRecord(of: places, end)
            #expect(item["extreme"]?["latitude"]?.number == extreme?.latitude)
            #expect(item["extreme"]?["sightingId"]?.string == extreme?.sighting.description)
            #expect(item["meanOf10Cells"]?.number == (try? cells.meanOfTen(end).get()))
            #expect(item["records"]?.integer == own.count && item["cells"]?.integer == cells.cells.count)
        }
        #expect(items.contains { $0["meanOf10Cells"]?.number != nil }, "no species has 20 cells")
    }

    private static func expectPages(of items: [JSONValue], _ end: RangeEnd, _ scene: RangeScene) async throws {
        var (found, path) = ([JSONValue](), String?.some("\(region)/ranges?end=\(end.rawValue)&limit=1"))
        while let next = path, found.count <= items.count {
            let page = try await scene.stranger.send(.get, next)
            found += try #require(try page["items"]?.items)
            path = page.headers[.link]?.firstMatch(of: /<([^>]+)>/).map { String($0.1) }
            if let token = try page.text("next") {
                let other = end == .south ? "north" : "south"
                let foreign = try await scene.stranger.send(.get, "\(region)/ranges?end=\(other)&after=\(token)")
                #expect(try foreign.status == .badRequest && foreign.text("errors.0.parameter") == "after")
            }
        }
        #expect(found == items)
    }

    private static func expectSpecies(of records: [String: [JSONValue]], _ scene: RangeScene) async throws {
        let species = try await scene.stranger.send(.get, "\(region)/species")
        let items = try #require(try species["items"]?.items)
        #expect(
            items.map { $0["taxon"]?["scientificName"]?.string } == [
                "Melospiza melodia", "Parus major", "Troglodytes pacificus",
            ])
        for item in items {
            let own = try #require(records[item["taxon"]?["id"]?.string ?? ""])
            let days = own.compactMap { $0["observedAt"]?.string?.prefix(10) }
            #expect(item["records"]?.integer == own.count)
            #expect(item["firstOn"]?.string == days.min().map(String.init))
            #expect(item["lastOn"]?.string == days.max().map(String.init))
        }
        let year = try await scene.stranger.send(.get, "\(region)/species?to=2024-12-31")
        #expect(try year["items"]?.items.count == 1 && year.text("items.0.firstOn") == "2024-06-02")
    }

    @Test func `an end is truncated near other land, and where the species goes on`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            func truncated(_ end: String = "south", _ more: String = "") async throws -> [JSONValue?] {
                try await served.followToHead()
                let table = try await scene.stranger.send(.get, "\(Self.region)/ranges?end=\(end)\(more)")
                return try #require(try table["items"]?.items).map { $0["truncated"] }
            }
            try await scene.add(at: (44.5, -121), on: "2025-05-01")
            #expect(try await truncated() == [.boolean(false)])
            // In California, farther south.
            try await scene.add(at: (40, -121.2), on: "2024-05-01")
            #expect(try await truncated() == [.boolean(true)])
            #expect(try await truncated("south", "&from=2025-01-01") == [.boolean(false)])
            #expect(try await truncated("north") == [.boolean(false)])
            // Ten kilometres north of California.
            try await scene.add("Song Sparrow", at: (42.1, -121))
            #expect(try await truncated("south", "&limit=1") == [.boolean(true)])
        }
    }

    @Test func `what does not count for ranges changes nothing`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.add(at: (47.6, -122.4))
            try await served.followToHead()
            let paths = ["\(Self.region)/ranges", "\(Self.region)/species"]
            var before: [String: ByteBuffer] = [:]
            for path in paths { before[path] = try await scene.stranger.send(.get, path).body }
            try await scene.add(at: (46.5, -121.4), more: #","captive":true"#)
            try await scene.add(at: (46.4, -121.4), isApproved: false)
            let doubtful = try await scene.add(at: (46.3, -121.4))
            let identified = try await scene.moderator.send(
                .post, "/v1/moderation/sightings/\(doubtful)/identifications",
                json: #"{"taxonId":"\#(scene.wren)","qualifier":"cf"}"#)
            #expect(identified.status.kind == .successful)
            // Hidden until the month is over.
            try await scene.add(at: (46.2, -121.4), more: #","geoprivacy":"private""#)
            try await scene.add("Spotted Owl", at: (46.123, -121.456))
            try await served.followToHead()
            for path in paths { #expect(try await scene.stranger.send(.get, path).body == before[path], "\(path)") }
            // Then the owl has the centre of its cell, and no day; the private record is in no region.
            let list = try await scene.stranger.read("/v1/sightings?taxon=\(scene.owl)", daysAhead: Self.later)
            let shown = try await scene.stranger.read(paths[0], daysAhead: Self.later)
            #expect(try shown.text("items.0.taxon.id") == scene.owl)
            #expect(try shown["items.0.extreme.latitude"] == list["items.0.latitude"])
            #expect(try shown["items.0.extreme.sightingId"] == list["items.0.id"])
            #expect(try shown["items"]?.items.count == 2)
            let species = try await scene.stranger.read(paths[1], daysAhead: Self.later)
            #expect(try species.text("items.0.taxon.id") == scene.owl && species["items.0.records"] == .integer(1))
            #expect(try species["items.0.firstOn"] == .null && species["items.0.lastOn"] == .null)
            #expect(try species["items.1.records"] == .integer(1))
            // An uncertain place is enough for the list of species.
            try await scene.add("Song Sparrow", at: (47, -121.4), more: #","uncertaintyMetres":20000"#)
            try await served.followToHead()
            #expect(try await scene.stranger.send(.get, paths[0])["items"]?.items.count == 1)
            #expect(try await scene.stranger.send(.get, paths[1])["items"]?.items.count == 2)
        }
    }

    @Test(arguments: ["ranges", "species"])
    func `all faults of a request are told at once, and an unknown region is not found`(path: String) async throws {
        try await ServedRoutes.run { served in
            let stranger = Caller.anonymous(served)
            var faulty = [
                "kind": "fish", "from": "2026-05-02", "to": "2026-05-01", "region": "california", "asOf": "9999-12-31",
            ]
            if path == "ranges" { faulty.merge(["end": "east", "limit": "0", "after": "nothing"]) { $1 } }
            let query = faulty.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
            let answer = try await stranger.send(.get, "\(Self.region)/\(path)?\(query)")
            let named = try #require(try answer["errors"]?.items).compactMap { $0["parameter"]?.string }
            #expect(try answer.problem == "invalid-parameter")
            #expect(named.sorted() == faulty.keys.filter { $0 != "to" }.sorted())
            for code in ["cascadia", "Pacific-Northwest", "\(UUID())".lowercased()] {
                #expect(try await stranger.send(.get, "/v1/regions/\(code)/\(path)").problem == "not-found", "\(code)")
            }
            #expect(try await stranger.send(.get, "\(Self.region)/\(path)?asOf=9999-12-31").problem == "day-not-over")
            let empty = try await stranger.send(.get, "/v1/regions/hawaii/\(path)")
            #expect(try empty.status == .ok && empty["items"] == .array([]))
        }
    }

    @Test func `a list as of a day is the one that was returned then`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.add(at: (47.6, -122.4))
            try await served.followToHead()
            var then: [String: JSONValue?] = [:]
            for path in ["ranges", "species"] {
                then[path] = try await scene.stranger.send(.get, "\(Self.region)/\(path)")["items"]
            }
            let sent = try await scene.owner.submit()
            let id = try #require(try sent.text("id"))
            let today = String(try #require(try sent.text("recordedAt")).prefix(10))
            let day = try CivilDate(today).adding(days: 1)
            try await scene.approve(id)
            try await served.record(id, at: Instant(startOf: day).adding(seconds: 30))
            try await served.followToHead()
            for (path, items) in then {
                let dated = try await scene.stranger.read("\(Self.region)/\(path)?asOf=\(today)", daysAhead: Self.later)
                #expect(try dated.text("asOf") == today && dated["items"] == items, "\(path)")
                #expect(try await scene.stranger.send(.get, "\(Self.region)/\(path)")["items"] != items, "\(path)")
            }
        }
    }
}
