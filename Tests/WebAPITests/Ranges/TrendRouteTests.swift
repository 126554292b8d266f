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

/// `GET /v1/taxa/{id}/trend`.
struct TrendRouteTests {
    @Test func `the series is that of the range, and the slope that of the series`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.moveSouth()
            try await served.followToHead()
            let trend = try await scene.trend("end=south&metric=extreme")
            let rows = try #require(try await scene.range("?end=south")["items"]?.items).filter {
                $0["region"] == .string("all")
            }
            let series = try #require(try trend["series"]?.items)
            #expect(rows.count == 8 && series.count == 8)
            for (point, row) in zip(series, rows) {
                #expect(point["from"] == row["from"] && point["to"] == row["to"] && point["reason"] == .null)
                #expect(point["value"] == row["south"]?["extreme"]?["latitude"])
                #expect(point["truncated"] == .boolean(false))
            }
            #expect(try trend["n"] == .integer(8) && trend["reason"] == .null && trend["asOf"] == .null)
            for member in ["perDecade", "low", "high"] { #expect(try trend["slope.\(member)"]?.number == -0.1) }
            #expect(try trend["slopeKm.perDecade"]?.number.map { (-11.2)...(-11) ~= $0 } == true)
            #expect(try trend["tau"]?.number == -1 && trend["p"]?.number == 0.000837)
            #expect(try trend["autocorrelation.lag1"] == .null && trend["autocorrelation.warning"] == .boolean(false))
            #expect(try trend["parameters.metric"] == .string("extreme") && trend["parameters.end"] == .string("south"))
            // No outing says that it is complete.
            #expect(try trend.text("conclusion") == "not-computable" && trend["effort.visits"] == .integer(0))
            #expect(try trend.text("sentence")?.contains("presence-only") == true)
            #expect(try trend["effort.wellSampled.reason"] == .string("noVisits"))
            #expect(try trend["effort.rarefaction.draws"] == .integer(199))

            // Ten kilometres north of California.
            let region = try await scene.trend("end=south&metric=extreme&region=pacific-northwest")
            #expect(try region["series"]?.items.map { $0["truncated"] } == Array(repeating: .boolean(true), count: 8))
            #expect(try region.text("reason") == "truncated" && region.text("conclusion") == "no-trend")
            #expect(try region["slope"] == .null && region["n"] == .integer(8))
            let north = try await scene.trend("end=north&metric=extreme&region=pacific-northwest")
            #expect(try north["n"] == .integer(8) && north["reason"] == .null)

            let ten = try await scene.trend("end=south")
            #expect(try ten.text("reason") == "fewPeriods" && ten["n"] == .integer(0))
            #expect(try ten["series.0.value"] == .null && ten["series.0.reason"] == .string("fewCells"))
            let weeks = try await scene.trend("end=south&metric=extreme&period=week-of-year")
            #expect(try weeks.text("reason") == "weekOfYear" && weeks["series.0.week"]?.integer != nil)
            #expect(try weeks["series.0.from"] == nil)
        }
    }

    @Test func `a taxon without records has an empty series, and one above genus no trend`() async throws {
        try await ServedRoutes.run { served in
            let stranger = Caller.anonymous(served)
            func id(_ name: String) async throws -> String {
                try #require(try await stranger.send(.get, "/v1/taxa?q=\(name)").text("items.0.id"))
            }
            let path = "/v1/taxa/\(try await id("Parus%20major"))/trend?end=north"
            let empty = try await stranger.send(.get, path)
            #expect(try empty.status == .ok && empty["series"] == .array([]) && empty["n"] == .integer(0))
            #expect(try empty.text("reason") == "fewPeriods" && empty["effort.table"] == .array([]))
            let tag = try #require(empty.headers[.eTag])
            #expect(try await stranger.send(.get, path, headers: [.ifNoneMatch: tag]).status == .notModified)
            let birds = try await stranger.send(.get, "/v1/taxa/\(try await id("Aves"))/trend?end=north")
            #expect(try birds.status == .unprocessableContent && birds.problem == "rank-too-high")
            for nothing in ["\(UUID())".lowercased(), "wren"] {
                #expect(try await stranger.send(.get, "/v1/taxa/\(nothing)/trend?end=north").problem == "not-found")
            }
        }
    }

    @Test func `all faults of a request are told at once, a missing end among them`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            let faulty = [
                "period": "month", "metric": "mean", "cellKm": "4", "region": "cascadia",
                "maxUncertaintyMetres": "0", "minConfidence": "11", "from": "2026-05-02", "to": "2026-05-01",
                "status": "rejected", "taxon": scene.wren, "limit": "3",
            ]
            let query = faulty.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
            for (end, isNamed) in [("", true), ("&end=east", true), ("&end=south", false)] {
                let answer = try await scene.trend(query + end)
                let named = try #require(try answer["errors"]?.items).compactMap { $0["parameter"]?.string }
                #expect(try answer.problem == "invalid-parameter")
                #expect(named.sorted() == (faulty.keys.filter { $0 != "to" } + (isNamed ? ["end"] : [])).sorted())
            }
            let missing = try await scene.trend("")
            #expect(missing.status == .badRequest)
            #expect(try missing["errors.0.parameter"] == .string("end") && missing["errors"]?.items.count == 1)
            #expect(try await scene.trend("end=south&asOf=9999-12-31").problem == "day-not-over")
        }
    }

    @Test func `a trend as of a day is the one that was returned then`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.moveSouth()
            try await served.followToHead()
            let then = try await scene.trend("end=south&metric=extreme")
            let sent = try await scene.owner.submit()
            let id = try #require(try sent.text("id"))
            let today = String(try #require(try sent.text("recordedAt")).prefix(10))
            try await scene.approve(id)
            try await served.record(id, at: Instant(startOf: try CivilDate(today).adding(days: 1)).adding(seconds: 30))
            try await served.followToHead()
            let dated = try await scene.trend("end=south&metric=extreme&asOf=\(today)", daysAhead: 40)
            for member in ["series", "slope", "p", "conclusion", "sentence"] {
                #expect(try dated[member] == then[member], "\(member)")
            }
            #expect(try dated.text("asOf") == today && dated["effort.seed"] != then["effort.seed"])
            #expect(try await scene.trend("end=south&metric=extreme")["series"]?.items.count == 9)
        }
    }
}

extension RangeScene {
    /// Adds a record in each of eight years, each a hundredth of a degree farther south.
    func moveSouth(more: String = "") async throws {
        for number in 0..<8 {
            let latitude = 42.1 - 0.01 * Double(number)
            try await add(at: ((latitude * 100).rounded() / 100, -121), on: "20\(15 + number)-05-01", more: more)
        }
    }

    /// - Parameter query: without a question mark.
    func trend(_ query: String, of taxon: String? = nil, daysAhead: Int = 0) async throws -> TestResponse {
        try await stranger.read("/v1/taxa/\(taxon ?? wren)/trend?\(query)", daysAhead: daysAhead)
    }
}
