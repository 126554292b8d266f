import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import TestSupport
import Testing

@testable import Web

/// `GET /v1/sightings` and `GET /v1/sightings/count`.
struct RecordListTests {
    /// More days than a month has.
    private static let later = 40

    @Test func `items have the bytes of single records, the newest observation first`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            for (name, day, more) in [
                ("Pacific Wren", "2026-05-01", #","notes":"singing""#), ("Pacific Wren", "2026-05-03", ""),
                ("xyzzy of nowhere", "2026-05-02", ""), ("Pacific Wren", "2026-04-30", #","geoprivacy":"private""#),
                ("Pacific Wren", "2026-05-02", #","geoprivacy":"obscured""#),
            ] {
                let body = Caller.sighting(name, more: more).replacing("2026-05-01", with: day)
                _ = try await owner.submit(body)
            }
            try await served.followToHead()
            let stranger = Caller.anonymous(served)
            let page = try await stranger.read("/v1/sightings?limit=200", daysAhead: Self.later)
            let items = try #require(try page["items"]?.items)
            let days = items.map { $0["observedTo"]?.string ?? "" }
            #expect(items.count == 5 && days == days.sorted(by: >))
            #expect(items.contains { $0["latitude"] == .null } && items.contains { $0["taxon"] == .null })
            let whole = String(buffer: page.body)
            for item in items {
                let id = try #require(item["id"]?.string)
                let alone = try await stranger.read("/v1/sightings/\(id)", daysAhead: Self.later)
                #expect(whole.contains(String(buffer: alone.body)), "\(id)")
            }
            #expect(try page["asOf"] == .null && page["next"] == .null)
            #expect(
                try page["statuses"]?.items.map(\.string) == ["approved", "accepted-by-source", "pending"])
        }
    }

    @Test func `pages follow each other by their cursors, which belong to their filters`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            for _ in 0..<5 { _ = try await owner.submit() }
            try await served.followToHead()
            let stranger = Caller.anonymous(served)
            let all = try await stranger.send(.get, "/v1/sightings?kind=bird")
            var (ids, path) = ([String](), String?.some("/v1/sightings?kind=bird&limit=2"))
            while let next = path, ids.count < 20 {
                let page = try await stranger.send(.get, next)
                ids += try #require(try page["items"]?.items).compactMap { $0["id"]?.string }
                path = page.headers[.link]?.firstMatch(of: /<([^>]+)>/).map { String($0.1) }
                if let token = try page.text("next") {
                    let other = try await stranger.send(.get, "/v1/sightings?kind=plant&after=\(token)")
                    #expect(try other.status == .badRequest && other.text("errors.0.parameter") == "after")
                }
            }
            #expect(try all["items"]?.items.compactMap { $0["id"]?.string } == ids)
            #expect(ids.count == 5)
        }
    }

    @Test(arguments: ["/v1/sightings", "/v1/sightings/count"])
    func `all faults of a filter are told at once`(path: String) async throws {
        try await ServedRoutes.run { served in
            let unknown = UUID().uuidString.lowercased()
            let faulty = [
                "taxon": unknown, "kind": "fish", "region": "cascadia", "state": "WA", "country": "usa", "bbox": "1,2",
                "status": "approved,rejected", "minConfidence": "11", "maxUncertaintyMetres": "-1",
                "hasPhoto": "yes", "captive": "no", "dataset": unknown, "from": "2026-05-02", "to": "2026-05-01",
                "asOf": "9999-12-31",
            ]
            let query = faulty.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
            let stranger = Caller.anonymous(served)
            let answer = try await stranger.send(.get, "\(path)?\(query)")
            let named = try #require(try answer["errors"]?.items).compactMap { $0["parameter"]?.string }
            #expect(try answer.status == .badRequest && answer.problem == "invalid-parameter")
            #expect(named.sorted() == faulty.keys.filter { $0 != "to" }.sorted())
            #expect(try await stranger.send(.get, "\(path)?asOf=9999-12-31").problem == "day-not-over")
            for fault in ["taxon=\(unknown)", "dataset=\(unknown)", "from=2026-05-02&to=2026-05-01", "colour=red"] {
                #expect(try await stranger.send(.get, "\(path)?\(fault)").status == .badRequest, "\(fault)")
            }
        }
    }

    @Test func `a list as of a day is the list that was returned then`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let sent = try await owner.submit()
            let id = try #require(try sent.text("id"))
            _ = try await owner.submit(Caller.sighting(on: "2026-04-30"))
            try await served.followToHead()
            let stranger = Caller.anonymous(served)
            let then = try await stranger.send(.get, "/v1/sightings?kind=bird")
            let counted = try await stranger.send(.get, "/v1/sightings/count?kind=bird")
            let day = try CivilDate(String(try #require(try sent.text("recordedAt")).prefix(10)))
            let now = try await owner.send(
                .patch, "/v1/me/findings/\(id)", headers: [.ifMatch: "*"], json: #"{"count":7}"#)
            #expect(now.status == .ok)
            try await served.record(id, at: Instant(startOf: day.adding(days: 1)).adding(seconds: 30))
            try await served.followToHead()
            for (path, before) in [("/v1/sightings", then), ("/v1/sightings/count", counted)] {
                let dated = try await stranger.read("\(path)?kind=bird&asOf=\(day)", daysAhead: Self.later)
                #expect(try dated.text("asOf") == "\(day)")
                for member in ["items", "records", "leftOut", "statuses"] {
                    #expect(try dated[member] == before[member], "\(path) \(member)")
                }
            }
        }
    }

    /// The record's month, cell and areas are public, and filters find it by these alone.
    @Test func `no filter finds a guarded record by what it hides`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let sent = try await owner.submit(Caller.sighting(more: #","geoprivacy":"private""#))
            let id = try #require(try sent.text("id"))
            let moderator = try await Caller.register(served, role: .moderator)
            let photo = try #require(try await SampleRequests.addPhoto(to: id, by: owner).text("id"))
            _ = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            try await served.followToHead()
            let stranger = Caller.anonymous(served)
            func records(_ query: String, daysAhead: Int = Self.later) async throws -> JSONValue? {
                let list = try await stranger.read("/v1/sightings?\(query)", daysAhead: daysAhead)
                let count = try await stranger.read("/v1/sightings/count?\(query)", daysAhead: daysAhead)
                #expect(try list["items"]?.items.count == count["records"]?.integer, "\(query)")
                return try count["records"]
            }
            for query in ["", "hasPhoto=false", "kind=bird", "from=2026-05-01&to=2026-05-31", "dataset=none"] {
                #expect(try await records(query) == .integer(1), "\(query)")
                #expect(try await records(query, daysAhead: 0) == .integer(0), "before the month is over: \(query)")
            }
            for query in [
                "minConfidence=1", "hasPhoto=true", "to=2026-05-01", "from=2026-05-01&to=2026-05-30", "state=US-WA",
                "region=pacific-northwest", "country=US", "bbox=-180,-90,180,90", "maxUncertaintyMetres=20040000",
            ] {
                #expect(try await records(query) == .integer(0), "\(query)")
            }
        }
    }

    @Test func `maps take the filter of lists, and say as of which day they are`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let sent = try await owner.submit()
            let path = "/v1/taxa/\(try #require(try sent.text("taxon.id")))/map"
            try await served.followToHead()
            let stranger = Caller.anonymous(served)
            for (query, records) in [
                ("status=pending", 1), ("status=approved,accepted-by-source", 0), ("minConfidence=8", 1),
                ("minConfidence=9", 0), ("region=pacific-northwest", 1), ("region=hawaii", 0), ("hasPhoto=false", 1),
                ("hasPhoto=true", 0), ("dataset=none", 1), ("captive=true", 0), ("kind=bird", 1), ("kind=plant", 0),
            ] {
                let map = try await stranger.send(.get, "\(path)?\(query)")
                #expect(try map["records"] == .integer(records), "\(query)")
                #expect(try map["asOf"] == .null)
            }
            let map = try await stranger.send(.get, "\(path)?status=pending,approved")
            #expect(try map["statuses"]?.items.map(\.string) == ["approved", "pending"])
            let today = Instant.now.date()
            #expect(try await stranger.read("\(path)?asOf=\(today)", daysAhead: 2).text("asOf") == "\(today)")
            #expect(try await stranger.send(.get, "\(path)?taxon=x").status == .badRequest)
        }
    }
}
