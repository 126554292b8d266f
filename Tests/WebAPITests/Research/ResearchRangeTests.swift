import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Service
@testable import Web

/// Tables of ranges among `/v1/research/exports`, and their differences.
struct ResearchRangeTests {
    @Test func `what reviewers rejected at a margin is taken back in, and the differences name it`() async throws {
        try await RangeExportScene.run { scene in
            let researcher = try await Caller.register(scene.exports.served, role: .researcher)
            let northern = try await scene.ranges.add(at: (47.6, -122.4))
            let southern = try await scene.ranges.add(at: (45.1, -122.4))
            let farther = try await scene.ranges.add(at: (44.1, -122.4))
            let before = try await scene.make()
            try await scene.reject(southern, #""reasons":["wrong-place"]"#)
            // Such a reason may be about anything.
            try await scene.reject(farther, #""reasons":["other"],"note":"Not there.""#)
            let after = try await scene.make()
            let (with, only) = (
                try await scene.research(by: researcher), try await scene.research(by: researcher, rejected: "only")
            )
            let data = try await scene.researchData(with, by: researcher)
            #expect(data.headers[.cacheControl] == "private, no-store")
            #expect(data.headers[.contentType] == "text/csv; charset=utf-8")
            for (id, records, latitude) in [(with, "2", "45.1"), (only, "1", "45.1")] {
                let rows = try RangeExportScene.rows(of: try await scene.researchData(id, by: researcher))
                let row = try #require(rows.first { $0["region"] == "all" })
                #expect(row["records"] == records && row["southLatitude"] == latitude)
                #expect(row["southSightingID"] == southern)
            }
            let open = try #require(try await scene.rows(after).first { $0["region"] == "all" })
            #expect(open["records"] == "1" && open["southLatitude"] == "47.6")

            let diff = try await scene.researchDiff(with, after, by: researcher)
            #expect(diff.status == .ok && diff.headers[.cacheControl] == "private, no-store")
            let latitude = try RangeDiffTests.item("southLatitude", of: diff)
            #expect(latitude?["before"]?.number == 45.1 && latitude?["after"]?.number == 47.6)
            #expect(RangeDiffTests.ids(latitude, "left") == [southern])
            #expect(RangeDiffTests.ids(latitude, "entered") == [])
            let records = try RangeDiffTests.item("records", of: diff)
            #expect(RangeDiffTests.ids(records, "left") == [southern])
            let early = try RangeDiffTests.item(
                "southLatitude", of: try await scene.researchDiff(with, before, by: researcher))
            #expect(RangeDiffTests.ids(early, "entered") == [farther])
            let own = try await scene.researchDiff(only, with, by: researcher)
            #expect(RangeDiffTests.ids(try RangeDiffTests.item("records", of: own), "entered") == [northern])
            #expect(try await scene.researchDiff(with, with, by: researcher)["items"] == .array([]))
            // Pages have the same items.
            let all = try #require(try diff["items"]?.items)
            var (paged, next): ([JSONValue], String?) = ([], nil)
            repeat {
                let query = "&limit=3\(next.map { "&after=\($0)" } ?? "")"
                let page = try await scene.researchDiff(with, after, by: researcher, query)
                paged += try #require(try page["items"]?.items)
                next = try page.text("next")
            } while next != nil && paged.count <= all.count
            #expect(paged == all && all.count > 3)
            // A restriction acts at once.
            let gone = try await scene.ranges.owner.send(
                .delete, "/v1/me/findings/\(southern)?reason=privacy", headers: [.ifMatch: "*"])
            try #require(gone.status == .noContent)
            try await scene.exports.served.followToHead()
            #expect(try await scene.researchDiff(with, after, by: researcher)["items"] == .array([]))
            #expect(
                !String(buffer: try await scene.researchData(with, by: researcher).body).contains(southern))
        }
    }

    @Test func `the tables of an account are compared by nobody else, and with tables of ranges alone`() async throws {
        try await RangeExportScene.run { scene in
            let served = scene.exports.served
            let researcher = try await Caller.register(served, role: .researcher)
            let admin = try await Caller.register(served, role: .admin)
            try await scene.ranges.add(at: (47.6, -122.4))
            let open = try await scene.make()
            let own = try await scene.research(by: researcher)
            #expect(try await scene.researchDiff(own, open, by: researcher).status == .ok)
            // Neither as the first table nor as the second one.
            let foreign = try await scene.research(by: admin)
            #expect(try await scene.researchDiff(own, open, by: admin).problem == "not-found")
            #expect(try await scene.researchDiff(foreign, own, by: admin).problem == "not-found")
            #expect(try await scene.researchDiff(open, own, by: researcher).problem == "not-found")
            for (one, other) in [(own, open), (open, own)] {
                #expect(try await scene.diff(one, other).problem == "not-found", "research exports are not public")
            }
            #expect(try await scene.researchDiff(own, open, by: scene.caller).problem == "forbidden")
            #expect(try await scene.researchDiff(own, open, by: .anonymous(served)).status == .unauthorized)

            let csv = try #require(try await scene.exports.ask(for: "csv", by: scene.caller).text("id"))
            let records = try await scene.research(#"{"format":"csv"}"#, by: researcher)
            let weeks = try await scene.research(by: researcher, more: #","period":"week-of-year""#)
            for (one, other) in [(own, csv), (own, records), (records, own), (own, weeks), (weeks, open)] {
                let answer = try await scene.researchDiff(one, other, by: researcher)
                #expect(try answer.status == .conflict && answer.problem == "conflict")
            }
            #expect(try await scene.researchDiff(own, "\(UUID())".lowercased(), by: researcher).status == .notFound)
            #expect(try await scene.researchDiff(own, "wren", by: researcher).problem == "invalid-parameter")
        }
    }

    @Test func `the terms of a table are checked, kept and shown`() async throws {
        try await RangeExportScene.run { scene in
            let researcher = try await Caller.register(scene.exports.served, role: .researcher)
            let (path, key, wren) = ("/v1/research/exports", UUID(), scene.ranges.wren)
            for (wrong, pointer) in [
                (#"{"format":"ranges"}"#, "/filter/taxa"),
                (#"{"format":"ranges","filter":{"taxon":"\#(wren)","cellKm":4}}"#, "/filter/cellKm"),
                (#"{"format":"csv","filter":{"period":"year"}}"#, "/filter/period"),
            ] {
                let answer = try await researcher.send(.post, path, json: wrong)
                #expect(try answer.problem == "validation-failed" && answer.text("errors.0.pointer") == pointer)
            }
            let birds = try #require(
                try await scene.ranges.stranger.send(.get, "/v1/taxa?q=Aves").text("items.0.id"))
            let high = try await researcher.send(
                .post, path, json: #"{"format":"ranges","filter":{"taxon":"\#(birds)"}}"#)
            #expect(try high.problem == "rank-too-high")

            let wanted = #"{"format":"ranges","filter":{"taxa":["\#(wren)"],"end":"south","cellKm":50}}"#
            let sent = try await researcher.send(.post, path, key: key, json: wanted)
            #expect(try sent.status == .created && sent.text("filter.end") == "south")
            #expect(try sent["filter.cellKm"] == .integer(50) && sent.text("filter.taxa.0") == wren)
            #expect(try sent.text("rejected") == "with")
            #expect(try await researcher.send(.post, path, key: key, json: wanted).status == .ok)
            let other = wanted.replacing(#""cellKm":50"#, with: #""cellKm":25"#)
            #expect(
                try await researcher.send(.post, path, key: key, json: other).problem == "idempotency-key-reused")
        }
    }
}

extension RangeExportScene {
    fileprivate func reject(_ id: String, _ reasons: String) async throws {
        let decided = try await ranges.moderator.send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"reject",\#(reasons)}"#)
        try #require(decided.status.kind == .successful, "\(String(buffer: decided.body))")
    }

    /// Asks for a table of the wrens of now.
    /// - Parameter more: further members of the filter.
    /// - Returns: the id.
    fileprivate func research(
        by caller: Caller, rejected: String = "with", more: String = ""
    ) async throws -> String {
        let filter = #"{"taxon":"\#(ranges.wren)"\#(more)}"#
        return try await research(
            #"{"format":"ranges","filter":\#(filter),"rejected":"\#(rejected)"}"#, by: caller)
    }

    fileprivate func research(_ body: String, by caller: Caller) async throws -> String {
        try await exports.served.followToHead()
        let sent = try await exports.send(.post, "/v1/research/exports", by: caller, json: body)
        try #require(sent.status == .created, "\(String(buffer: sent.body))")
        return try #require(try sent.text("id"))
    }

    fileprivate func researchData(_ id: String, by caller: Caller) async throws -> TestResponse {
        let data = try await exports.send(.get, "/v1/research/exports/\(id)/data", by: caller)
        try #require(data.status == .ok, "\(String(buffer: data.body))")
        return data
    }

    fileprivate func researchDiff(
        _ id: String, _ other: String, by caller: Caller, _ query: String = ""
    ) async throws -> TestResponse {
        try await exports.send(.get, "/v1/research/exports/\(id)/diff?with=\(other)\(query)", by: caller)
    }
}
