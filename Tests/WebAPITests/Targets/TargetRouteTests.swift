import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

extension RouteTests {
    private static let region = "pacific-northwest"

    /// The running week in the region of ``Caller/sighting(_:more:)``, chosen.
    private func chosenWeek(_ served: ServedRoutes) async throws -> (week: ISOWeek, position: HTTPFields) {
        let results = try await served.cases.targets.rotation.run([try RegionCode(Self.region)])
        let result = try #require(results.last)
        let head = try await Caller.anonymous(served).send(.get, "/v1/log")
        switch result.outcome {
        case .chosen, .settled(.chosen): return (result.week, try head.position)
        default: throw ProblemDetails(.internalError, detail: "\(result)")
        }
    }

    /// A birder of the region.
    private func birder(_ served: ServedRoutes) async throws -> Caller {
        let email = "\(UUID().uuidString.lowercased())@example.org"
        let anonymous = Caller.anonymous(served)
        let account = try await anonymous.send(
            .post, "/v1/accounts",
            json: Caller.signUp(email).replacing(#""oldEnough""#, with: #""region":"\#(Self.region)","oldEnough""#))
        let session = try await anonymous.send(.post, "/v1/sessions", json: Caller.credentials(email))
        return Caller(
            served: served, email: email, token: try session.text("accessToken"),
            account: try account.text("id").flatMap(AccountID.init))
    }

    @Test func `anyone reads the targets of the week, without scores`() async throws {
        let served = try ServedRoutes.required
        let (week, position) = try await chosenWeek(served)
        let caller = Caller.anonymous(served)
        let answer = try await caller.send(.get, "/v1/targets?region=\(Self.region)", headers: position)
        #expect(answer.status == .ok)
        #expect(try answer.text("week") == week.description)
        #expect(try answer.text("status") == "chosen" && answer.text("zone") == "America/Los_Angeles")
        #expect(try answer["targets"]?.items.isEmpty == false)
        let body = String(buffer: answer.body)
        for word in ["findability", "recency", "observers", "records", "secondsLeft", "captured"] {
            #expect(!body.contains(word), "\(word)")
        }
        let again = try await caller.send(.get, "/v1/targets?region=\(Self.region)&week=\(week)", headers: position)
        #expect(again.body == answer.body)
        let tag = try #require(answer.headers[.eTag])
        let same = try await caller.send(
            .get, "/v1/targets?region=\(Self.region)", headers: [.ifNoneMatch: tag])
        #expect(same.status == .notModified)
        let history = try await caller.send(.get, "/v1/targets/history?region=\(Self.region)", headers: position)
        #expect(try history.text("items.0.week") == week.description)
    }

    @Test func `regions and weeks that are not there`() async throws {
        let served = try ServedRoutes.required
        let caller = Caller.anonymous(served)
        for (query, status) in [
            ("", 400), ("?region=nowhere", 400), ("?region=hawaii&week=2026-18", 400),
            ("?region=hawaii&week=2027-W53", 400),
            ("?region=hawaii&week=2999-W01", 404), ("?region=hawaii&week=1999-W01", 404), ("?region=hawaii&wek=1", 400),
        ] {
            #expect(try await caller.send(.get, "/v1/targets\(query)").status.code == status, "\(query)")
        }
        let pending = try await caller.send(.get, "/v1/targets?region=hawaii")
        #expect(try pending.status == .ok && pending.text("status") == "pending")
    }

    @Test func `a birder's targets count down, and are sent and captured`() async throws {
        let served = try ServedRoutes.required
        let (week, position) = try await chosenWeek(served)
        let birder = try await birder(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let none = try await birder.send(.get, "/v1/me/targets", headers: position)
        let targets = try #require(try none["week.targets"]?.items)
        let target = try #require(targets.first { $0["taxon"]?["commonName"]?.string == "Song Sparrow" })
        #expect(target["captured"]?.string == "no" && target["secondsLeft"]?.integer ?? 0 > 0)
        let taxon = try #require(target["taxon"]?["id"]?.string)
        let day = min(week.monday.adding(days: 1), Instant.now.date().adding(days: -1))
        let seen = day < week.monday ? week.monday : day
        let place = #""latitude":47.6577,"longitude":-122.4056"#
        let sent = try await birder.submit(
            #"{"taxonId":"\#(taxon)","count":1,"confidence":8,"observedAt":"\#(seen)",\#(place)}"#)
        let index = try #require(targets.firstIndex { $0["id"] == target["id"] })
        let waiting = try await birder.send(.get, "/v1/me/targets", headers: try sent.position)
        #expect(try waiting.text("week.targets.\(index).captured") == "sent")
        #expect(try waiting.text("week.targets.\(index).findingId") == sent.text("id"))
        let decided = try await moderator.send(
            .post, "/v1/moderation/sightings/\(try #require(try sent.text("id")))/decisions",
            headers: [.ifMatch: "*"], json: #"{"decision":"approve"}"#)
        let unverified = try await birder.send(.get, "/v1/me/targets", headers: try decided.position)
        #expect(try unverified.text("week.targets.\(index).captured") == "sent")
        let code = try await served.code(to: birder.email)
        let verified = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
        #expect(verified.status == .noContent)
        let done = try await birder.send(.get, "/v1/me/targets", headers: try decided.position)
        #expect(try done.text("week.targets.\(index).captured") == "captured")
        #expect(try done["week.targets.\(index).secondsLeft"] == .null)
        let progress = try await birder.send(.get, "/v1/me/progress")
        #expect(try progress["currentRun"]?.integer == 1 && progress["capturedSpecies.bird"]?.integer == 1)
        let other = try await Caller.register(served)
        #expect(try await other.send(.get, "/v1/me/targets").json["week"] == .null)
    }

    @Test func `at a border the targets of either region may have prompted a finding`() async throws {
        try await ServedRoutes.run { served in
            let birder = try await Caller.register(served)
            let running = try served.cases.targets.rotation.calendar.runningWeek(
                of: try #require(served.cases.ground.places.regions.first { $0.code.text == "great-lakes" }))
            let day = max(running.monday, Instant.now.date().adding(days: -1))
            /// On the bridge between Covington and Cincinnati, or well within one of the two regions.
            func submit(latitude: Double, _ what: String) async throws -> TestResponse {
                try await birder.submit(
                    #"{\#(what),"count":1,"confidence":8,"observedAt":"\#(day)","latitude":\#(latitude),"#
                        + #""longitude":-84.5097}"#)
            }
            func targets(of region: String) async throws -> (id: String, target: String) {
                _ = try await served.cases.targets.rotation.run([try RegionCode(region)])
                try await served.followToHead()
                try await served.cases.sightings.targets.refresh()
                let week = try await Caller.anonymous(served).send(.get, "/v1/targets?region=\(region)")
                let target = try #require(
                    try week["targets"]?.items.first { $0["taxon"]?["commonName"]?.string == "Song Sparrow" })
                return (try #require(try week.text("id")), try #require(target["id"]?.string))
            }
            let none = try await submit(latitude: 39.0925, #""name":"Song Sparrow""#)
            #expect(try none.text("regionBasis") == "border" && none["promptedBy"] == .null)
            #expect(try none.text("region") == "southeast" && none.text("borderRegion") == "great-lakes")

            let (lakes, target) = try await targets(of: "great-lakes")
            for what in [#""name":"Song Sparrow""#, #""targetId":"\#(target)""#] {
                #expect(try await submit(latitude: 39.0925, what).text("promptedBy") == lakes)
                #expect(try await submit(latitude: 39.5, what).text("promptedBy") == lakes)
                #expect(try await submit(latitude: 38.9, what)["promptedBy"] == .null, "not at the border")
            }
            #expect(try await submit(latitude: 39.0925, #""name":"Pacific Wren""#)["promptedBy"] == .null)
        }
    }

    @Test func `admins plan a later week`() async throws {
        let served = try ServedRoutes.required
        let admin = try await Caller.register(served, role: .admin)
        let wren = try #require(
            try await admin.send(.get, "/v1/taxa?q=Pacific%20Wren").text("items.0.id"))
        let owl = try #require(try await admin.send(.get, "/v1/taxa?q=Spotted%20Owl").text("items.0.id"))
        let path = "/v1/targets/caribbean/2999-W01"
        let empty = try await admin.send(.get, path)
        #expect(try empty.text("status") == "open" && empty.headers[.eTag]?.hasPrefix("\"0.") == true)
        let plan = #"{"taxa":["\#(wren)"]}"#
        #expect(try await admin.send(.put, path, json: plan).status == .preconditionRequired)
        let stale = try await admin.send(.put, path, headers: [.ifMatch: "\"1\""], json: plan)
        #expect(stale.status == .preconditionFailed)
        let key = UUID()
        let tag = try #require(empty.headers[.eTag])
        let planned = try await admin.send(.put, path, key: key, headers: [.ifMatch: tag], json: plan)
        #expect(try planned.status == .ok && planned.text("plan.0") == wren)
        let again = try await admin.send(.put, path, key: key, headers: [.ifMatch: tag], json: plan)
        #expect(again.body == planned.body)
        let sensitive = try await admin.send(
            .put, path, headers: [.ifMatch: "*"], json: #"{"taxa":["\#(wren)","\#(owl)"]}"#)
        #expect(try sensitive.status == .unprocessableContent && sensitive.faults == ["/taxa/1"])
        let twice = try await admin.send(
            .put, path, headers: [.ifMatch: "*"], json: #"{"taxa":["\#(wren)","\#(wren)"]}"#)
        #expect(try twice.status == .unprocessableContent && twice.faults == ["/taxa/1"])
        let region = try #require(served.cases.ground.places.regions.first)
        let running = try served.cases.targets.rotation.calendar.runningWeek(of: region)
        let begun = try await admin.send(
            .put, "/v1/targets/alaska/\(running.adding(weeks: -1))", headers: [.ifMatch: "*"], json: plan)
        #expect(try begun.status == .conflict && begun.text("type") == "/problems/week-has-begun")
        let hidden = try await Caller.anonymous(served).send(
            .get, "/v1/targets?region=caribbean&week=2999-W01", headers: try planned.position)
        #expect(hidden.status == .notFound)
    }

    @Test func `admins replace a target of the running week`() async throws {
        let served = try ServedRoutes.required
        let admin = try await Caller.register(served, role: .admin)
        let (week, _) = try await chosenWeek(served)
        let path = "/v1/targets/\(Self.region)/\(week)"
        let before = try await admin.send(.get, path)
        let target = try #require(try before.text("targets.0.id"))
        let taken = try #require(try before.text("targets.0.taxonId"))
        func replace(_ target: String, by taxon: String) async throws -> TestResponse {
            try await admin.send(
                .post, path + "/replace", headers: [.ifMatch: "*"],
                json: #"{"targetId":"\#(target)","taxonId":"\#(taxon)","reason":"absent"}"#)
        }
        #expect(try await replace(target, by: taken).text("type") == "/problems/already-target")
        #expect(try await replace(UUID().uuidString, by: taken).status == .notFound)
        #expect(try await replace(target, by: UUID().uuidString).faults == ["/taxonId"])
    }

    @Test func `a replaced target shows what was submitted for it before`() async throws {
        try await ServedRoutes.run { served in
            let admin = try await Caller.register(served, role: .admin)
            let birder = try await birder(served)
            let (week, _) = try await chosenWeek(served)
            let path = "/v1/targets/\(Self.region)/\(week)"
            let chosen = try await admin.send(.get, path)
            let (target, taxon) = (try #require(try chosen.text("targets.0.id")), try chosen.text("targets.0.taxonId"))
            let tit = try #require(try await admin.send(.get, "/v1/taxa?q=Parus%20major").text("items.0.id"))
            let day = max(week.monday, Instant.now.date().adding(days: -1))
            let place = #""latitude":47.6577,"longitude":-122.4056"#
            let first = try await birder.submit(
                #"{"taxonId":"\#(taxon ?? "")","count":1,"confidence":8,"observedAt":"\#(day)",\#(place)}"#)
            let replaced = try await admin.send(
                .post, path + "/replace", headers: [.ifMatch: "*"],
                json: #"{"targetId":"\#(target)","taxonId":"\#(tit)","reason":"absent"}"#)
            #expect(replaced.status == .ok)
            let own = try await birder.send(.get, "/v1/me/targets", headers: try replaced.position)
            #expect(try own.text("week.replaced.0.id") == target)
            #expect(try own.text("week.replaced.0.captured") == "sent")
            #expect(try own.text("week.replaced.0.findingId") == first.text("id"))
            let stranger = try await self.birder(served)
            let none = try await stranger.send(.get, "/v1/me/targets", headers: try replaced.position)
            #expect(try none.text("week.replaced.0.captured") == "no")
        }
    }
}
