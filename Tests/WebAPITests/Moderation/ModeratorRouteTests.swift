import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import ReadModels
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

extension RouteTests {
    @Test func `the queue and claims default to a moderator's regions and taxa`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sent = try await owner.submit(Caller.sighting(on: "2026-04-19"))
        let (sighting, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
        let region = try #require(try sent.text("region"))
        let regions = try await moderator.send(.get, "/v1/regions").json["items"]?.items ?? []
        let elsewhere = try #require(regions.compactMap { $0["code"]?.string }.first { $0 != region })
        let me = "/v1/moderation/me"
        #expect(try await moderator.send(.get, me)["regions"]?.items == [])

        func isQueued(_ query: String = "") async throws -> Bool {
            let page = try await moderator.send(
                .get, "/v1/moderation/queue?limit=200&from=2026-04-19&to=2026-04-19\(query)",
                headers: try sent.position)
            return try page.json["items"]?.items.contains { $0["id"]?.string == sighting } == true
        }
        let set = try await moderator.send(.put, me, json: #"{"regions":["\#(elsewhere)"],"taxa":["\#(taxon)"]}"#)
        #expect(try set.text("regions.0") == elsewhere)
        #expect(try await moderator.send(.get, me).text("taxa.0") == taxon)
        #expect(try await !isQueued())
        let claimed = try await moderator.send(.post, "/v1/moderation/claims", json: #"{"limit":50}"#)
        #expect(try claimed.json["items"]?.items.contains { $0["id"]?.string == sighting } == false)
        #expect(try await isQueued("&taxon=\(taxon)"))
        _ = try await moderator.send(.put, me, json: #"{"regions":["\#(region)"],"taxa":["\#(taxon)"]}"#)
        #expect(try await isQueued())
        let wrong = try await moderator.send(.put, me, json: #"{"regions":["nowhere"],"taxa":["\#(UUID())"]}"#)
        #expect(try wrong.faults == ["/regions/0", "/taxa/0"])
        #expect(try await isQueued())
    }

    @Test func `moderators claim an observer's day, whatever they usually work on`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let other = try await Caller.register(served)
        let observer = try #require(try await owner.send(.get, "/v1/me").text("observerId"))
        let sent = try await owner.submit()
        let nextDay = Caller.sighting().replacing("2026-05-01T", with: "2026-05-02T")
        let (later, stranger) = (try await owner.submit(nextDay), try await other.submit())
        let ids = [try #require(try sent.text("id")), try #require(try later.text("id"))]
        let usual = #"{"regions":["hawaii"],"taxa":[]}"#
        #expect(try await moderator.send(.put, "/v1/moderation/me", json: usual).status == .ok)

        func claim(_ members: String) async throws -> [JSONValue] {
            let answer = try await moderator.send(
                .post, "/v1/moderation/claims", headers: try stranger.position, json: "{\"limit\":50\(members)}")
            return try answer.json["items"]?.items ?? []
        }
        let ofDay = try await claim(#","observerId":"\#(observer)","day":"2026-05-01""#)
        #expect(ofDay.compactMap { $0["id"]?.string } == ids.dropLast())
        #expect(ofDay.first?["sightingReview"]?["observerId"]?.string == observer)
        let ofBoth = try await claim(#","observerId":"\#(observer)""#).compactMap { $0["id"]?.string }
        #expect(ofBoth == ids)
        #expect(try await claim(#","observerId":"\#(UUID())""#).isEmpty)
        let wrong = try await moderator.send(
            .post, "/v1/moderation/claims", json: #"{"limit":1,"observerId":"x","day":"2026-02-30"}"#)
        #expect(try wrong.faults == ["/observerId", "/day"])
    }

    @Test func `statistics count first decisions, and those that were overturned`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let (first, second) = (
            try await Caller.register(served, role: .moderator), try await Caller.register(served, role: .moderator)
        )
        func decide(_ sighting: String, by moderator: Caller, _ decision: String) async throws -> TestResponse {
            try await moderator.send(
                .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":\#(decision)}"#)
        }
        for decision in [#""approve""#, #""reject","reasons":["wrong-date"]"#] {
            let sighting = try #require(try await owner.submit().text("id"))
            _ = try await decide(sighting, by: first, #""approve""#)
            _ = try await decide(sighting, by: second, decision)
        }
        let last = try await decide(
            try #require(try await owner.submit().text("id")), by: second, #""reject","reasons":["wrong-date"]"#)
        let statistics = try await first.send(.get, "/v1/moderation/stats", headers: try last.position).json
        func numbers(of moderator: Caller) throws -> [Int?] {
            let id = try #require(moderator.account).description
            let row = statistics["moderators"]?.items.first { $0["moderatorId"]?.string == id }
            return [row?["decisions"]?.integer, row?["overturned"]?.integer]
        }
        #expect(try numbers(of: first) == [2, 1])
        #expect(try numbers(of: second) == [2, 0])
        #expect(try #require(statistics["weeks"]?.items.last?["decisions"]?.integer) >= 3)
    }

    @Test func `anyone reads statistics of public sightings and of weeks that are over`() async throws {
        // Alone: they count the decisions of all.
        try await ServedRoutes.run { served in
            let (owner, anyone) = (try await Caller.register(served), Caller.anonymous(served))
            let reader = try await Caller.register(served, role: .moderator)
            // Both models have everything that was sent before.
            func counted() async throws -> (decisions: Int, ofAll: Int) {
                let sent = try await owner.submit()
                _ = try await reader.send(.get, "/v1/moderation/stats", headers: try sent.position)
                _ = try await anyone.send(
                    .get, "/v1/sightings/\(try #require(try sent.text("id")))", headers: try sent.position)
                let nextWeek = Instant.now.adding(seconds: 7 * 86_400)
                let statistics = try await served.database.withConnection(served.database.owner) { connection in
                    try await ModerationQueries(connection).publicStatistics(by: nextWeek)
                }
                return (statistics.weeks.reduce(0) { $0 + $1.decisions }, statistics.total?.decisions ?? 0)
            }
            let before = try await counted()
            for _ in 0..<5 {
                let moderator = try await Caller.register(served, role: .moderator)
                for wish in ["", #","geoprivacy":"private""#] {
                    let id = try #require(try await owner.submit(Caller.sighting(more: wish)).text("id"))
                    _ = try await moderator.send(
                        .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
                        json: #"{"decision":"approve"}"#)
                }
            }
            let after = try await counted()
            #expect(after.decisions == before.decisions + 5)
            #expect(after.ofAll >= before.ofAll + 5)
            let shown = try await anyone.send(.get, "/v1/stats/moderation")
            #expect(try shown.json == JSONValue(parsing: Array(#"{"weeks":[],"total":null}"#.utf8)))
        }
    }

    @Test func `readings of places that others do not see are listed for an audit, page by page`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        var hidden: Set<String> = []
        for wish in ["", #","geoprivacy":"obscured""#, #","geoprivacy":"private""#] {
            let sent = try await owner.submit(Caller.sighting(more: wish))
            let id = try #require(try sent.text("id"))
            if !wish.isEmpty { hidden.insert(id) }
            // The public id is known once the read model has the sighting.
            _ = try await owner.send(.get, "/v1/sightings/\(id)", headers: try sent.position)
            for _ in 0..<2 { _ = try await moderator.send(.get, "/v1/moderation/sightings/\(id)") }
        }
        let account = try #require(moderator.account)
        let (all, first, rest) = try await served.database.withConnection(served.database.owner) { connection in
            let reads = ExactReads(database: connection)
            let first = try await reads.readings(by: account, limit: 1)
            return (
                try await reads.readings(by: account, limit: 10), first,
                try await reads.readings(by: account, after: first.last, limit: 10)
            )
        }
        #expect(Set(all.map(\.sighting.description)) == hidden && all.count == 2)
        #expect(first + rest == all)
    }

    @Test func `reading an original photo is noted as reading its sighting is`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let account = try #require(moderator.account)
        func noted() async throws -> [String] {
            try await served.database.withConnection(served.database.owner) { connection in
                try await ExactReads(database: connection).readings(by: account, limit: 10).map(\.sighting.description)
            }
        }
        for wish in ["", #","geoprivacy":"obscured""#] {
            let sighting = try #require(try await owner.submit(Caller.sighting(more: wish)).text("id"))
            let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
            try await served.followToHead()
            let path = "/v1/moderation/photos/\(photo)"
            _ = try await moderator.send(.get, path + "/thumb")
            #expect(try await noted().isEmpty, "renditions have no place")
            #expect(try await moderator.send(.get, path + "/original").status == .ok)
            #expect(try await noted() == (wish.isEmpty ? [] : [sighting]))
        }
    }

    @Test func `every reason of a rejection is listed and accepted`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let lists = try await Caller.anonymous(served).send(.get, "/v1/reasons").json
        for reason in lists["sighting"]?.items ?? [] {
            let sighting = try #require(try await owner.submit().text("id"))
            let note = reason["needsNote"] == .boolean(true) ? #","note":"twice""# : ""
            let rejected = try await moderator.send(
                .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"reject","reasons":["\#(reason["code"]?.string ?? "")"]\#(note)}"#)
            #expect(rejected.status == .ok)
        }
        #expect(lists["photo"]?.items.count == PhotoReason.allCases.count)
    }
}
