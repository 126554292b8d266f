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

/// `GET /v1/exports/{id}/diff`.
struct RangeDiffTests {
    /// The item of a column of the row of all records.
    static func item(_ metric: String, of answer: TestResponse) throws -> JSONValue? {
        try answer["items"]?.items.first {
            $0["metric"]?.string == metric && $0["region"]?.string == "all"
        }
    }

    static func ids(_ item: JSONValue?, _ list: String) -> [String]? {
        item?[list]?.items.compactMap(\.string)
    }

    @Test func `a record that enters or leaves at the margin is named`() async throws {
        try await RangeExportScene.run { scene in
            try await scene.ranges.add(at: (47.6, -122.4))
            let before = try await scene.make()
            let southern = try await scene.ranges.add(at: (45.1, -122.4))
            // In the cell of the first one: it changes counts alone.
            let beside = try await scene.ranges.add(at: (47.6001, -122.4))
            let after = try await scene.make()
            let diff = try await scene.diff(before, after)
            #expect(diff.status == .ok)
            let latitude = try Self.item("southLatitude", of: diff)
            #expect(latitude?["before"]?.number == 47.6 && latitude?["after"]?.number == 45.1)
            #expect(Self.ids(latitude, "entered") == [southern] && Self.ids(latitude, "left") == [])
            #expect(latitude?["from"] == .integer(2026) && latitude?["week"] == .null)
            #expect(latitude?["taxon"]?.string == scene.ranges.wren)
            #expect(Self.ids(try Self.item("q50", of: diff), "entered") == [southern])
            let records = try Self.item("records", of: diff)
            #expect(records?["before"] == .integer(1) && records?["after"] == .integer(3))
            #expect(Self.ids(records, "entered") == [southern, beside].sorted())
            let back = try await scene.diff(after, before)
            #expect(Self.ids(try Self.item("southLatitude", of: back), "left") == [southern])
            #expect(try await scene.diff(after, after)["items"] == .array([]))
            // A withdrawal.
            let withdrawn = try await scene.ranges.owner.send(
                .delete, "/v1/me/findings/\(southern)", headers: [.ifMatch: "*"])
            try #require(withdrawn.status.kind == .successful, "\(String(buffer: withdrawn.body))")
            let last = try await scene.make()
            let gone = try await scene.diff(after, last)
            #expect(Self.ids(try Self.item("southSightingID", of: gone), "left") == [southern])
            #expect(try Self.item("southSightingID", of: gone)?["before"]?.string == southern)
        }
    }

    @Test func `another rule is compared with the first one`() async throws {
        try await RangeExportScene.run { scene in
            let southern = try await scene.ranges.add(at: (45.1, -122.4))
            try await scene.ranges.add(at: (47.6, -122.4))
            let taxon = #""taxon":"\#(scene.ranges.wren)""#
            let (whole, without) = (
                try await scene.make(taxon), try await scene.make(#"\#(taxon),"without":["\#(southern)"]"#)
            )
            let diff = try await scene.diff(whole, without)
            #expect(Self.ids(try Self.item("southLatitude", of: diff), "left") == [southern])
            // Pages have the same items.
            let all = try #require(try diff["items"]?.items)
            var (paged, after): ([JSONValue], String?) = ([], nil)
            repeat {
                let page = try await scene.diff(whole, without, "&limit=3\(after.map { "&after=\($0)" } ?? "")")
                paged += try #require(try page["items"]?.items)
                after = try page.text("next")
            } while after != nil && paged.count <= all.count
            #expect(paged == all && all.count > 3)
        }
    }

    @Test func `a cursor keeps the figure after which a page begins`() throws {
        typealias Key = RangeDiffPage.Key
        let (taxon, alaska) = (TaxonID(UUID()), RegionCode(unchecked: "alaska"))
        let keys = [
            Key(taxon, alaska, .years(from: 2000, to: 2004), metric: "records"),
            Key(taxon, nil, .week(17), metric: "q50"), Key(taxon, alaska, nil, metric: "leftOutPeriod"),
            Key(taxon, nil, nil, metric: "leftOutPeriod"), .end(of: taxon),
        ]
        for key in keys {
            let parts = try #require(key).parts
            #expect(Key(parts: parts[...]) == key)
            #expect(Key(parts: (parts + [.integer(2004), .integer(2005)])[...]) != key)
        }
        #expect(Key(parts: [.uuid(taxon.uuid), .text("Alaska"), .text("records")]) == nil)
        #expect(Key(parts: [.uuid(taxon.uuid), .text("alaska"), .text("wings")]) == nil)
        #expect(Key(parts: [.integer(1)]) == nil)
    }

    @Test func `only tables of ranges with the same periods are compared`() async throws {
        try await RangeExportScene.run { scene in
            let taxon = #""taxon":"\#(scene.ranges.wren)""#
            let table = try await scene.make(taxon)
            let weeks = try await scene.make(#"\#(taxon),"period":"week-of-year""#)
            let csv = try #require(try await scene.exports.ask(for: "csv", by: scene.caller).text("id"))
            for (one, other) in [(table, csv), (csv, table), (table, weeks)] {
                let answer = try await scene.diff(one, other)
                #expect(try answer.status == .conflict && answer.problem == "conflict")
                #expect(try answer.text("detail") != nil)
            }
            for (one, other) in [(table, "\(UUID())".lowercased()), ("\(UUID())".lowercased(), table)] {
                #expect(try await scene.diff(one, other).status == .notFound)
            }
            #expect(try await scene.diff(table, "wren").problem == "invalid-parameter")
            let missing = try await scene.exports.send(.get, "/v1/exports/\(table)/diff")
            #expect(try missing.problem == "invalid-parameter")
            let errata = try await scene.exports.send(.get, "/v1/exports/\(table)/errata")
            #expect(try errata.problem == "conflict" && errata.text("detail")?.contains("/diff?with=") == true)
        }
    }
}
