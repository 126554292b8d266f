import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import TestSupport
import Testing

@testable import Web

// MARK: - Submitting

extension RouteTests {
    @Test func `a sighting is answered, found again by its key, and read back`() async throws {
        let birder = try await Caller.register(try .required)
        let key = UUID()
        let first = try await birder.submit(key: key)
        let id = try #require(try first.text("id"))
        #expect(first.headers[.location] == "/v1/me/findings/\(id)")
        #expect(try first.text("taxon.scientificName") == "Troglodytes pacificus")
        #expect(try first.text("state") == "US-WA" && first.text("region") == "pacific-northwest")
        let again = try await birder.submit(key: key)
        #expect(again.body == first.body && again.headers[.eTag] == first.headers[.eTag])
        let other = try await birder.send(.post, "/v1/sightings", key: key, json: Caller.sighting("Song Sparrow"))
        #expect(try other.problem == "idempotency-key-reused")
        let missing = try await birder.send(.post, "/v1/sightings", key: nil, json: Caller.sighting())
        #expect(try missing.problem == "idempotency-key-required")
        #expect(try await birder.send(.get, "/v1/me/findings/\(id)").body == first.body)
    }

    @Test func `all faults of a sighting are answered at once`() async throws {
        let birder = try await Caller.register(try .required)
        let response = try await birder.send(
            .post, "/v1/sightings",
            json: #"{"name":"Pacific Wren","count":0,"confidence":11,"observedAt":"2126-05-01","latitude":0,"#
                + #""longitude":0,"licence":"GPL","uncertaintyMetres":0,"cuont":1}"#)
        #expect(try response.problem == "validation-failed")
        let expected: Set = [
            "/count", "/confidence", "/observedAt", "/latitude", "/licence", "/uncertaintyMetres", "/cuont",
        ]
        #expect(try response.faults == expected)
    }

    @Test(arguments: ["", #""name":null,"#, #""name":null,"taxonId":null,"#])
    func `a sighting has a name or a taxon`(members: String) async throws {
        let birder = try await Caller.register(try .required)
        let body = Caller.sighting().replacing(#""name":"Pacific Wren","#, with: members)
        let response = try await birder.send(.post, "/v1/sightings", json: body)
        #expect(try response.faults == ["/name"])
    }

    @Test func `a name that fits no taxon is kept with suggestions; strictly it is rejected`() async throws {
        let birder = try await Caller.register(try .required)
        let kept = try await birder.submit(Caller.sighting("Pacific Wrenn"))
        #expect(try kept["taxon"] == .null && kept.text("verbatimName") == "Pacific Wrenn")
        #expect(try kept["suggestions"]?.items.isEmpty == false)
        let strict = try await birder.send(
            .post, "/v1/sightings", headers: [.prefer: "handling=strict"], json: Caller.sighting("Pacific Wrenn"))
        #expect(try strict.faults == ["/name"])
        let honoured = try await birder.send(
            .post, "/v1/sightings", headers: [.prefer: "handling=strict"], json: Caller.sighting())
        #expect(honoured.headers[.preferenceApplied] == "handling=strict")
    }

    @Test func `each item of a batch has its own outcome, and the same one again`() async throws {
        let birder = try await Caller.register(try .required)
        let key = UUID()
        let body =
            #"{"items":[{"key":"\#(key)","sighting":\#(Caller.sighting())},"#
            + #"{"key":"\#(UUID())","sighting":{}},{"key":"none","sighting":\#(Caller.sighting())}]}"#
        let sent = try await birder.send(.post, "/v1/sightings/batch", json: body)
        #expect(sent.status == .ok && sent.headers[.logPosition] != nil)
        let statuses = try (0..<3).map { try sent["items.\($0).status"]?.number }
        #expect(statuses == [201, 422, 422])
        let again = try await birder.submit(key: key)
        #expect(try again.text("id") == sent.text("items.0.sighting.id"))
        let empty = try await birder.send(.post, "/v1/sightings/batch", json: #"{"items":[]}"#)
        #expect(try empty.faults == ["/items"])
    }
}

// MARK: - One's own sightings

extension RouteTests {
    @Test func `a correction needs the current version, and null clears`() async throws {
        let birder = try await Caller.register(try .required)
        let first = try await birder.submit(Caller.sighting(more: #","notes":"by the creek""#))
        let path = "/v1/me/findings/\(try #require(try first.text("id")))"
        let tag: HTTPFields = [.ifMatch: try #require(first.headers[.eTag])]
        let patch = #"{"notes":null,"count":3}"#
        #expect(try await birder.send(.patch, path, json: patch).problem == "precondition-required")
        let corrected = try await birder.send(.patch, path, headers: tag, json: patch)
        #expect(try corrected["count"] == .integer(3) && corrected["notes"] == .null)
        #expect(try await birder.send(.patch, path, headers: tag, json: patch).problem == "precondition-failed")
        let nothing = try await birder.send(.patch, path, headers: [.ifMatch: "*"], json: "{}")
        #expect(nothing.headers[.eTag] == corrected.headers[.eTag])
    }

    @Test(arguments: ["mistake", "privacy"])
    func `a withdrawn sighting leaves a tombstone, and for privacy nothing`(reason: String) async throws {
        let birder = try await Caller.register(try .required)
        let key = UUID()
        let id = try #require(try await birder.submit(key: key).text("id"))
        let path = "/v1/me/findings/\(id)"
        let wrong = try await birder.send(.delete, path + "?reason=boredom", headers: [.ifMatch: "*"])
        #expect(try wrong.problem == "invalid-parameter")
        let withdrawn = try await birder.send(.delete, path + "?reason=\(reason)", headers: [.ifMatch: "*"])
        #expect(withdrawn.status == .noContent)
        #expect(try await birder.send(.post, "/v1/sightings", key: key, json: Caller.sighting()).problem == "withdrawn")
        let patched = try await birder.send(.patch, path, headers: [.ifMatch: "*"], json: #"{"count":3}"#)
        #expect(try patched.problem == "withdrawn")
        for path in ["/v1/sightings/\(id)", "/v1/sightings/\(id)/history"] {
            let seen = try await birder.send(.get, path, headers: withdrawn.position)
            #expect(seen.status == (reason == "privacy" ? .gone : .ok), "\(path)")
        }
    }

    @Test func `one's own reads show one's own writes without a header`() async throws {
        let birder = try await Caller.register(try .required)
        let id = try #require(try await birder.submit().text("id"))
        let path = "/v1/me/findings/\(id)"
        #expect(try await birder.send(.get, "/v1/me/findings").text("items.0.id") == id)
        #expect(try await birder.send(.patch, path, headers: [.ifMatch: "*"], json: #"{"count":3}"#).status == .ok)
        #expect(try await birder.send(.get, path + "/history")["items"]?.items.count == 2)
        #expect(try await birder.send(.delete, path, headers: [.ifMatch: "*"]).status == .noContent)
        #expect(try await birder.send(.get, "/v1/me/map")["features"]?.items.isEmpty == true)
    }

    @Test func `findings come in pages, filtered, newest observation first`() async throws {
        let birder = try await Caller.register(try .required)
        for day in 1...3 {
            let observed = Caller.sighting().replacing("2026-05-01", with: "2026-05-0\(day)")
            _ = try await birder.submit(observed)
        }
        let position = try await birder.submit(Caller.sighting("Song Sparrow")).position
        let first = try await birder.send(.get, "/v1/me/findings?limit=2&kind=bird", headers: position)
        let next = try #require(try first.text("next"))
        #expect(first.headers[.link] == "</v1/me/findings?limit=2&kind=bird&after=\(next)>; rel=\"next\"")
        let second = try await birder.send(.get, "/v1/me/findings?limit=2&kind=bird&after=\(next)")
        #expect(try second["items"]?.items.count == 2 && second["next"] == .null)
        let days = try [first, second].flatMap { try $0["items"]?.items.compactMap { $0["observedAt"]?.string } ?? [] }
        #expect(days.count == 4 && days == days.sorted(by: >))
        let other = try await birder.send(.get, "/v1/me/findings?limit=2&after=\(next)")
        #expect(try other.problem == "invalid-parameter")
        let none = try await birder.send(.get, "/v1/me/findings?from=2026-06-01")
        #expect(try none["items"]?.items.isEmpty == true)
    }

    @Test(arguments: [Int64.min, -62_135_596_800_000_001, 253_402_300_800_000_000, .max])
    func `a forged cursor whose time the database does not know is rejected`(time: Int64) async throws {
        let birder = try await Caller.register(try .required)
        let account = try #require(birder.account)
        let token = try PageCursor([.integer(time), .uuid(UUID()), .integer(1), .integer(1)])
            .token(scope: "findings/\(account)///", sealedBy: birder.served.cases.ground.log.cursors, at: .now)
        let response = try await birder.send(.get, "/v1/me/findings?after=\(token)")
        #expect(try response.problem == "invalid-parameter")
    }

    @Test func `the id of something else is not the id of a finding`() async throws {
        let birder = try await Caller.register(try .required)
        let taxon = try #require(try await birder.submit().text("taxon.id"))
        for id in [taxon, try #require(birder.account?.description), "wren"] {
            let path = "/v1/me/findings/\(id)"
            for (method, body) in [(HTTPRequest.Method.get, nil), (.patch, #"{"count":3}"#), (.delete, nil)] {
                let response = try await birder.send(method, path, headers: [.ifMatch: "*"], json: body)
                #expect(try response.problem == "not-found", "\(method) \(id)")
            }
            #expect(try await birder.send(.get, path + "/history").problem == "not-found")
            #expect(try await birder.send(.get, "/v1/sightings/\(id)").problem == "not-found")
        }
    }

    @Test func `a finding whose submission was redacted is gone`() async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit()
        let served = birder.served
        let position = try await served.cases.ground.log.position(sealedAs: try #require(sent.headers[.logPosition]))
        _ = try await served.database.withConnection(served.database.owner) { connection in
            try await Redaction.redact(position: position, reason: RedactionReason.place.rawValue, connection)
        }
        let path = "/v1/me/findings/\(try #require(try sent.text("id")))"
        #expect(try await birder.send(.get, path).problem == "gone")
        let patched = try await birder.send(.patch, path, headers: [.ifMatch: "*"], json: #"{"count":3}"#)
        #expect(try patched.problem == "gone")
    }
}
