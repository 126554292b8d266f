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

/// `GET /v1/taxa/{id}/ranges`.
struct RangeRouteTests {
    /// More days than a month has.
    private static let later = 40

    @Test func `the figures are those of the records of the list`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            for number in 0..<24 {
                let (latitude, longitude) = (40.013 + 0.31 * Double(number), -121.4 + 0.2 * Double(number % 7))
                try await scene.add(at: (latitude, longitude), on: "202\(number % 12 == 0 ? 4 : 5)-05-1\(number % 10)")
            }
            try await served.followToHead()
            let list = try await scene.stranger.send(
                .get, "/v1/sightings?taxon=\(scene.wren)&status=approved,accepted-by-source&limit=200")
            let records = try #require(try list["items"]?.items)
            let table = try await scene.range()
            let rows = try #require(try table["items"]?.items)
            #expect(try table.text("taxon.id") == scene.wren && records.count == 24)
            #expect(try table["statuses"]?.items.map(\.string) == ["approved", "accepted-by-source"])
            let kept = try Self.expect(rows, toBeOf: records)
            #expect(kept > 3 && rows.count == kept)
            let mean = rows.compactMap { $0["south"]?["meanOf10Cells"]?.number }
            #expect(!mean.isEmpty, "no row has 20 cells")
            // A region's rows beside those of all.
            let some = try await scene.range("?region=california&end=south&period=5-year")
            let regions = try some["items"]?.items.map { "\($0["region"]?.string ?? "") \($0["from"]?.integer ?? 0)" }
            #expect(regions == ["all 2020", "all 2025", "california 2020", "california 2025"])
            #expect(try some["items.0.north"] == nil && some["items.0.south"] != nil)
            let weeks = try await scene.range("?period=week-of-year")
            #expect(try weeks["items"]?.items.allSatisfy { $0["week"]?.integer != nil } == true)
        }
    }

    /// Compares each row with the figures of the records that it should have.
    /// - Returns: how many rows there should be.
    private static func expect(_ rows: [JSONValue], toBeOf records: [JSONValue]) throws -> Int {
        var expected: [String: [RangeRecord]] = [:]
        for record in records {
            let place = try Coordinate(
                latitude: try #require(record["latitude"]?.number), longitude: try #require(record["longitude"]?.number)
            )
            let id = try #require(record["id"]?.string.flatMap(SightingID.init))
            let year = try #require(record["observedAt"]?.string?.prefix(4))
            for region in ["all", record["region"]?.string].compactMap({ $0 }) {
                expected["\(region) \(year)", default: []].append(RangeRecord(id: id, place: place))
            }
        }
        for row in rows {
            let (region, year) = (row["region"]?.string ?? "", row["from"]?.integer ?? 0)
            let members = try #require(expected["\(region) \(year)"], "\(region) \(year)")
            let all = expected.filter { $0.key.hasPrefix("\(region) ") }.flatMap(\.value)
            let cells = OccupiedCells(of: all.map(\.place), side: .ten)
            let figures = RangeFigures(
                members, in: OccupiedCells(of: members.map(\.place), side: .ten),
                references: (GammaReference(cells, .south), GammaReference(cells, .north)),
                isWholeTaxon: region == "all")
            let numbers: [(JSONValue?, Double?)] = [
                (row["records"], Double(members.count)), (row["cells"], Double(figures.cells)),
                (row["observers"], 1), (row["generalised"], 0), (row["notInExports"], 0),
                (row["south"]?["extreme"]?["latitude"], figures.south.extreme?.latitude),
                (row["south"]?["meanOf10Cells"], figures.south.meanOf10Cells),
                (row["south"]?["gamma95"]?["latitude"], figures.south.gamma95?.latitude),
                (row["south"]?["q05"], figures.south.outer5), (row["south"]?["q10"], figures.south.outer10),
                (row["north"]?["extreme"]?["latitude"], figures.north.extreme?.latitude),
                (row["north"]?["q95"], figures.north.outer5), (row["north"]?["q90"], figures.north.outer10),
                (row["q50"], figures.q50), (row["centroid"]?["longitude"], figures.centroid?.longitude),
                (row["hullKm2"], figures.hullKm2), (row["eoo"]?["km2"], figures.extent?.km2),
                (row["aoo"]?["minKm2"], figures.occupancy?.minKm2),
            ]
            for (index, (found, value)) in numbers.enumerated() {
                #expect(found?.number == value, "\(region) \(year), number \(index)")
            }
            #expect(row["south"]?["extreme"]?["sightingId"]?.string == figures.south.extreme?.sighting.description)
            #expect(row["leftOut"]?.items == [])
            let missing = row["missing"]?.items.compactMap { $0["member"]?.string }
            #expect(missing == figures.missing.map(\.member))
        }
        return expected.count
    }

    @Test func `what does not count is counted under the first reason`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.add(at: (47.6, -122.4))
            try await scene.add(at: (47.5, -122.4), more: #","captive":true"#)
            try await scene.add(at: (47.4, -122.4), more: #","uncertaintyMetres":20000"#)
            try await scene.add(at: (47.3, -122.4), isApproved: false)
            let doubtful = try await scene.add(at: (47.2, -122.4))
            let identified = try await scene.moderator.send(
                .post, "/v1/moderation/sightings/\(doubtful)/identifications",
                json: #"{"taxonId":"\#(scene.wren)","qualifier":"cf"}"#)
            #expect(identified.status.kind == .successful)
            try await served.followToHead()
            func counts(_ query: String) async throws -> String {
                let row = try #require(try await scene.range(query)["items.0"])
                let left = (row["leftOut"]?.items ?? []).map {
                    "\($0["reason"]?.string ?? "") \($0["records"]?.integer ?? 0)"
                }
                return (["\(row["records"]?.integer ?? -1)"] + left).joined(separator: ", ")
            }
            #expect(try await counts("") == "1, captive 1, qualified 1, uncertain 1, pending 1")
            #expect(try await counts("?maxUncertaintyMetres=25000") == "2, captive 1, qualified 1, pending 1")
            #expect(try await counts("?cellKm=50") == "2, captive 1, qualified 1, pending 1")
            #expect(
                try await counts("?status=approved,pending") == "2, captive 1, qualified 1, uncertain 1")
            #expect(try await counts("?captive=true") == "1")
            #expect(
                try await counts("?minConfidence=9") == "0, captive 1, qualified 1, uncertain 1, lowConfidence 2")
            let none = try await scene.range("?minConfidence=9")
            #expect(try none["items.0.south.truncated"] == .null && none["items.0.q50"] == .null)
            #expect(try none["items.0.missing"]?.items.contains { $0["member"] == .string("south.truncated") } == true)
            #expect(try none["parameters.minConfidence"] == .integer(9))
            // A month fits a year, and no week.
            let month = try await scene.owner.submit(
                Caller.sighting().replacing("2026-05-01T07:30:00-07:00", with: "2026-04"))
            try await scene.approve(try #require(try month.text("id")))
            try await served.followToHead()
            let weeks = try #require(try await scene.range("?period=week-of-year&captive=false")["items"]?.items)
            let unfit = try #require(weeks.last { $0["region"] == .string("all") })
            #expect(unfit["week"] == .null && unfit["records"] == .integer(0))
            #expect(unfit["leftOut"]?[0]?["reason"] == .string("period"))
        }
    }

    @Test func `a taxon without records has no rows, and one above genus no range`() async throws {
        try await ServedRoutes.run { served in
            let stranger = Caller.anonymous(served)
            func id(_ name: String) async throws -> String {
                try #require(try await stranger.send(.get, "/v1/taxa?q=\(name)").text("items.0.id"))
            }
            let empty = try await stranger.send(.get, "/v1/taxa/\(try await id("Parus%20major"))/ranges")
            #expect(try empty.status == .ok && empty["items"] == .array([]) && empty["asOf"] == .null)
            let birds = try await stranger.send(.get, "/v1/taxa/\(try await id("Aves"))/ranges")
            #expect(try birds.status == .unprocessableContent && birds.problem == "rank-too-high")
            for nothing in ["\(UUID())".lowercased(), "wren"] {
                #expect(try await stranger.send(.get, "/v1/taxa/\(nothing)/ranges").problem == "not-found")
            }
        }
    }

    @Test func `all faults of a request are told at once`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            let faulty = [
                "period": "month", "end": "east", "cellKm": "4", "region": "cascadia", "maxUncertaintyMetres": "0",
                "minConfidence": "11", "from": "2026-05-02", "to": "2026-05-01", "status": "rejected",
                "taxon": scene.wren, "prompted": "maybe",
            ]
            let query = faulty.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
            let answer = try await scene.range("?\(query)")
            let named = try #require(try answer["errors"]?.items).compactMap { $0["parameter"]?.string }
            #expect(try answer.problem == "invalid-parameter")
            #expect(named.sorted() == faulty.keys.filter { $0 != "to" }.sorted())
            for size in ["101", "ten", "10.5"] {
                #expect(try await scene.range("?cellKm=\(size)").problem == "invalid-parameter", "\(size)")
            }
            #expect(try await scene.range("?asOf=9999-12-31").problem == "day-not-over")
            #expect(try await scene.range("?region=hawaii").status == .ok)
        }
    }

    /// Not before the month is over, and then as what they show.
    @Test func `hidden records change nothing but what they show`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.add(at: (47.6, -122.4))
            try await served.followToHead()
            let (before, owls) = (try await scene.range(), try await scene.range(of: scene.owl))
            #expect(try owls["items"] == .array([]))
            try await scene.add(at: (20, -122.4), more: #","geoprivacy":"private""#)
            let owl = try await scene.add("Spotted Owl", at: (44.123, -122.456), isApproved: false)
            let doubtful = try await scene.moderator.send(
                .post, "/v1/moderation/sightings/\(owl)/identifications",
                json: #"{"taxonId":"\#(scene.owl)","qualifier":"cf"}"#)
            #expect(doubtful.status.kind == .successful)
            try await scene.approve(owl)
            try await served.followToHead()
            #expect(try await scene.range().body == before.body)
            #expect(try await scene.range(of: scene.owl).body == owls.body)
            let after = try #require(try await scene.range(daysAhead: Self.later)["items.0"])
            for member in ["records", "cells", "observers", "south", "north", "centroid", "eoo", "aoo"] {
                #expect(try after[member] == before["items.0.\(member)"], "\(member)")
            }
            #expect(after["leftOut"]?.items.first?["reason"] == .string("noPlace"))
            // The centre of the cell, and no qualifier, week or observer.
            let shown = try await scene.range(of: scene.owl, daysAhead: Self.later)
            let list = try await scene.stranger.read("/v1/sightings?taxon=\(scene.owl)", daysAhead: Self.later)
            #expect(try shown["items.0.south.extreme.latitude"] == list["items.0.latitude"])
            #expect(
                try shown["items.0.south.extreme.sightingId"] == list["items.0.id"] && list.text("items.0.id") != owl)
            #expect(try shown["items.0.generalised"] == .integer(1) && shown["items.0.observers"] == .integer(0))
            #expect(try shown["items.0.leftOut"] == .array([]))
            let weeks = try await scene.range("?period=week-of-year", of: scene.owl, daysAhead: Self.later)
            #expect(try weeks["items.0.records"] == .integer(0))
            // An obscured one counts with its cell, and nobody as its observer.
            let other = try await Caller.register(served)
            let hidden = try await other.submit(Caller.sighting(more: #","geoprivacy":"obscured""#))
            try await scene.approve(try #require(try hidden.text("id")))
            try await served.followToHead()
            let obscured = try #require(try await scene.range()["items.0"])
            #expect(obscured["records"] == .integer(2) && obscured["observers"] == .integer(1))
            #expect(obscured["generalised"] == .integer(1))
        }
    }

    @Test func `an end at the border of a region is the border's, and all records have none`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            // Ten kilometres north of California.
            try await scene.add(at: (42.1, -121))
            try await served.followToHead()
            let rows = try #require(try await scene.range()["items"]?.items)
            #expect(rows.map { $0["region"]?.string } == ["all", "pacific-northwest"])
            #expect(rows.map { $0["south"]?["truncated"] } == [.boolean(false), .boolean(true)])
            #expect(rows.map { $0["north"]?["truncated"] } == [.boolean(false), .boolean(false)])
        }
    }

    @Test func `too many rows are a problem that names the export`() throws {
        let problem = TooManyRangeRows(most: 5_000).problem
        #expect(problem.type == .tooManyRows && problem.detail?.contains("/v1/exports") == true)
        let records = TooManyRangeRows(most: 500_000, part: .records).problem
        #expect(records.detail?.contains("computed from more than 500000") == true)
    }

    @Test func `a range as of a day is the one that was returned then`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.add(at: (47.6, -122.4))
            try await served.followToHead()
            let then = try await scene.range()
            let sent = try await scene.owner.submit()
            let today = String(try #require(try sent.text("recordedAt")).prefix(10))
            try await scene.approve(try #require(try sent.text("id")))
            let day = try CivilDate(today).adding(days: 1)
            let id = try #require(try sent.text("id"))
            try await served.record(id, at: Instant(startOf: day).adding(seconds: 30))
            try await served.followToHead()
            let dated = try await scene.range("?asOf=\(today)&status=approved", daysAhead: Self.later)
            #expect(try dated.text("asOf") == today && dated["items"] == then["items"])
            #expect(try await scene.range()["items.0.records"] == .integer(2))
            let tag = try #require(then.headers[.eTag])
            #expect(try await scene.range(headers: [.ifNoneMatch: tag]).status == .ok)
        }
    }
}

/// A birder whose sightings a moderator approves, and a stranger who asks for ranges.
struct RangeScene {
    let owner: Caller
    let moderator: Caller
    let stranger: Caller
    let wren: String
    let owl: String

    init(_ served: ServedRoutes) async throws {
        let anyone = Caller.anonymous(served)
        stranger = anyone
        owner = try await Caller.register(served)
        moderator = try await Caller.register(served, role: .moderator)
        wren = try #require(try await anyone.send(.get, "/v1/taxa?q=Pacific%20Wren").text("items.0.id"))
        owl = try #require(try await anyone.send(.get, "/v1/taxa?q=Spotted%20Owl").text("items.0.id"))
    }

    @discardableResult
    func add(
        _ name: String = "Pacific Wren", at place: (latitude: Double, longitude: Double), on day: String = "2026-05-01",
        more: String = "", isApproved: Bool = true
    ) async throws -> String {
        let body = Caller.sighting(name, more: more).replacing("2026-05-01", with: day)
            .replacing("47.6577", with: "\(place.latitude)").replacing("-122.4056", with: "\(place.longitude)")
        let id = try #require(try await owner.submit(body).text("id"))
        if isApproved { try await approve(id) }
        return id
    }

    func approve(_ id: String) async throws {
        let decided = try await moderator.send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        try #require(decided.status.kind == .successful, "\(String(buffer: decided.body))")
    }

    func range(
        _ query: String = "", of taxon: String? = nil, daysAhead: Int = 0, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await stranger.read("/v1/taxa/\(taxon ?? wren)/ranges\(query)", daysAhead: daysAhead, headers: headers)
    }
}
