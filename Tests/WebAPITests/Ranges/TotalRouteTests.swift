import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import NIOCore
import ReadModels
import TestSupport
import Testing

@testable import Imports
@testable import Service
@testable import Web
@testable import WebAPI

/// `GET /v1/taxa/{id}/totals`.
struct TotalRouteTests {
    /// More days than a month has.
    private static let later = 40

    @Test func `records are counted by country and year as the list has them`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await scene.add(at: (47.6, -122.4))
            try await scene.add(at: (47.5, -122.4), isApproved: false)
            try await scene.add(at: (47.4, -122.4), on: "2025-05-01", more: #","captive":true"#)
            try await scene.add(at: (51, -121), on: "2025-05-01")
            try await scene.add(at: (47.6, -122.4), more: #","geoprivacy":"private""#)
            try await served.followToHead()
            #expect(try await scene.totals() == ["CA 2025 1", "US 2025 1", "US 2026 2"])
            let shown = try await scene.totals(daysAhead: Self.later)
            #expect(shown == ["CA 2025 1", "US 2025 1", "US 2026 2", "null 2026 1"])
            let count = try await scene.stranger.read(
                "/v1/sightings/count?taxon=\(scene.wren)", daysAhead: Self.later)
            #expect(try count["records"] == .integer(5))
            let answer = try await scene.stranger.send(.get, "/v1/taxa/\(scene.wren)/totals")
            #expect(try answer["statuses"]?.items.map(\.string) == ["approved", "accepted-by-source", "pending"])
            #expect(try answer.text("taxon.id") == scene.wren && answer["asOf"] == .null)
        }
    }

    @Test func `records of category 1 are counted from three up of one taxon, once a month`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            try await served.addWrens(ofCategoryOne: ["Parus major", "Troglodytes aedon", "Troglodytes hiemalis"])
            let (tit, genus) = (try await scene.id("Parus major"), try await scene.id("Troglodytes"))
            let (aedon, hiemalis) = (
                try await scene.id("Troglodytes aedon"), try await scene.id("Troglodytes hiemalis")
            )
            for day in ["2026-05-01", "2026-05-02"] { try await scene.add("Great Tit", at: (46.05, -120.55), on: day) }
            for place in [46.15, 46.25, 46.35, 46.45] { try await scene.add("House Wren", at: (place, -120.55)) }
            for place in [46.15, 46.25] { try await scene.add("Winter Wren", at: (place, -120.55)) }
            try await served.followToHead()
            for taxon in [tit, genus, aedon, hiemalis] {
                #expect(try await scene.totals(of: taxon) == [], "not before the month is over")
            }
            func later(_ taxon: String, months: Int = 1) async throws -> [String] {
                try await scene.totals(of: taxon, daysAhead: months * Self.later)
            }
            #expect(try await later(tit) == [])
            #expect(try await later(hiemalis) == [])
            #expect(try await later(aedon) == ["US 2026 0 4"])
            // The genus does not reveal how many the other species has.
            #expect(try await later(genus) == ["US 2026 0 4"])
            try await scene.add("Winter Wren", at: (46.35, -120.55))
            try await scene.add("Great Tit", at: (46.05, -120.55), on: "2025-05-01")
            try await served.followToHead()
            #expect(try await later(genus) == ["US 2026 0 4"], "the end of that month has been seen")
            #expect(try await later(tit, months: 2) == [], "years are counted apart")
            #expect(try await later(genus, months: 2) == ["US 2026 0 7"])
            // Nothing else shows them.
            #expect(try await scene.stranger.read("/v1/sightings", daysAhead: Self.later)["items"] == .array([]))
        }
    }

    /// Four records of category 1, and their owner.
    private struct Withheld {
        let owner: Caller
        let taxon: String
        let ids: [String]
    }

    /// A withdrawal for privacy acts at once everywhere else.
    @Test(.hangs) func `totals of category 1 change at a month's end only, whatever is recorded`() async throws {
        let month = PastMonth()
        let shared = NIOLockedValueBox<Withheld?>(nil)
        try await withTestDatabase(models: ReadModel.all) { database in
            try await ServedRoutes.serve(database) { served in
                let scene = try await RangeScene(served)
                try await served.addWrens(ofCategoryOne: ["Parus major"])
                var ids: [String] = []
                for day in 1...4 {
                    ids.append(try await scene.add("Great Tit", at: (46.05, -120.55), on: "2026-05-0\(day)"))
                }
                let withheld = Withheld(owner: scene.owner, taxon: try await scene.id("Parus major"), ids: ids)
                shared.withLockedValue { $0 = withheld }
                try await served.followToHead()
            }
            try await month.move(database)
            try await ServedRoutes.serve(database) { served in
                try await Self.expectMonthly(served, try #require(shared.withLockedValue { $0 }), month)
            }
        }
    }

    private static func expectMonthly(
        _ served: ServedRoutes, _ withheld: Withheld, _ month: PastMonth
    ) async throws {
        let path = "/v1/taxa/\(withheld.taxon)/totals"
        func sensitive(_ query: String = "", at now: Instant) async throws -> Int? {
            let answer = try await Caller.anonymous(served).read(path + query, at: now)
            try #require(answer.status == .ok, "\(String(buffer: answer.body))")
            return try answer["items.0.sensitive"]?.integer
        }
        let monthIsOver = Instant(startOf: month.lastDay.adding(days: 1)).adding(seconds: 600)
        #expect(try await sensitive(at: monthIsOver.adding(seconds: -1)) == nil)
        #expect(try await sensitive(at: monthIsOver) == 4)
        #expect(try await sensitive("?asOf=\(month.lastDay)", at: monthIsOver) == 4)
        #expect(try await sensitive("?asOf=\(month.day)", at: monthIsOver) == nil)
        // In the running month.
        let withdrawn = try await withheld.owner.at(served).send(
            .delete, "/v1/me/findings/\(withheld.ids[0])?reason=privacy", headers: [.ifMatch: "*"])
        try #require(withdrawn.status.kind == .successful, "\(String(buffer: withdrawn.body))")
        try await served.followToHead()
        #expect(try await sensitive(at: .now) == 4)
        #expect(try await sensitive("?asOf=\(month.lastDay)", at: .now) == 4)
        let next = Instant.now.adding(seconds: later * 86_400)
        #expect(try await sensitive(at: next) == 3)
        #expect(try await sensitive("?asOf=\(month.lastDay)", at: next) == 3)
    }

    @Test func `faults, ranks and taxa without records`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await RangeScene(served)
            let path = "/v1/taxa/\(scene.wren)/totals"
            let faulty = try await scene.stranger.send(.get, "\(path)?asOf=9999-12-31&region=california&country=US")
            let named = try #require(try faulty["errors"]?.items).compactMap { $0["parameter"]?.string }
            #expect(try faulty.problem == "invalid-parameter")
            #expect(named.sorted() == ["asOf", "country", "region"])
            #expect(try await scene.stranger.send(.get, "\(path)?asOf=9999-12-31").problem == "day-not-over")
            let birds = try #require(try await scene.stranger.send(.get, "/v1/taxa?q=Aves").text("items.0.id"))
            #expect(try await scene.stranger.send(.get, "/v1/taxa/\(birds)/totals").problem == "rank-too-high")
            for nothing in ["\(UUID())".lowercased(), "wren"] {
                #expect(try await scene.stranger.send(.get, "/v1/taxa/\(nothing)/totals").problem == "not-found")
            }
            #expect(try await scene.totals() == [])
        }
    }
}

extension ServedRoutes {
    /// Imports a genus of wrens, and gives species category 1.
    fileprivate func addWrens(ofCategoryOne names: [String]) async throws {
        let taxa = [
            ["scientificName", "rank", "parent", "kind", "names"],
            ["Troglodytes", "genus", "Aves", "bird", "en:Wrens"],
            ["Troglodytes aedon", "species", "Troglodytes", "bird", "en:House Wren"],
            ["Troglodytes hiemalis", "species", "Troglodytes", "bird", "en:Winter Wren"],
        ]
        try await withTable(taxa) {
            let summary = try await TaxaImport(log: cases.imports).run($0)
            #expect(summary.problems.isEmpty)
        }
        let listed = names.map { [$0, "1", "nests", "a list"] }
        try await withTable([["scientificName", "category", "reason", "source"]] + listed) {
            let summary = try await SensitivityImport(log: cases.imports).run($0)
            #expect(summary.problems.isEmpty)
        }
        try await followToHead()
        try await cases.ground.catalogue.refresh()
    }
}

extension RangeScene {
    fileprivate func id(_ name: String) async throws -> String {
        let found = try await stranger.send(.get, "/v1/taxa?q=\(name.replacing(" ", with: "%20"))")
        let item = try found["items"]?.items.first { $0["scientificName"]?.string == name }
        return try #require(item?["id"]?.string)
    }

    /// The country, the year, the public records and, where there are any, those of category 1.
    fileprivate func totals(of taxon: String? = nil, daysAhead: Int = 0) async throws -> [String] {
        let answer = try await stranger.read("/v1/taxa/\(taxon ?? wren)/totals", daysAhead: daysAhead)
        return try #require(try answer["items"]?.items).map { item in
            let country = item["country"]?.string ?? "null"
            let year = item["year"]?.integer.map { "\($0)" } ?? "null"
            let sensitive = item["sensitive"]?.integer.map { " \($0)" } ?? ""
            return "\(country) \(year) \(item["records"]?.integer ?? -1)\(sensitive)"
        }
    }
}
