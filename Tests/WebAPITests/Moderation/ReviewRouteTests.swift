import Crypto
import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

extension RouteTests {
    private func decide(_ sighting: String, by moderator: Caller, _ body: String) async throws -> TestResponse {
        try await moderator.send(
            .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"], json: body)
    }

    @Test func `an appeal goes to another moderator, once`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let first = try await Caller.register(served, role: .moderator)
        let second = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit().text("id"))
        let path = "/v1/me/findings/\(sighting)/appeals"
        let early = try await owner.send(.post, path, json: #"{"text":"why?"}"#)
        #expect(try early.text("type") == "/problems/nothing-open")
        _ = try await decide(sighting, by: first, #"{"decision":"reject","reasons":["wrong-date"]}"#)
        let appealed = try await owner.send(.post, path, json: #"{"text":"I was there"}"#)
        #expect(try appealed.text("status") == "rejected")
        let again = try await owner.send(.post, path, json: #"{"text":"I really was"}"#)
        #expect(try again.text("type") == "/problems/nothing-open")
        let same = try await decide(sighting, by: first, #"{"decision":"approve"}"#)
        #expect(try same.text("type") == "/problems/other-moderator-required")
        #expect(
            try await decide(sighting, by: second, #"{"decision":"approve"}"#).text("sighting.status") == "approved")
    }

    @Test func `moderators wait for announced photos, and see the texts of a review`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        var hasher = SHA256()
        hasher.update(data: Data(TestPhotos.jpeg.readableBytesView))
        let digest = hasher.finalize().map { String(format: "%02x", $0) }.joined()
        let awaiting = Caller.sighting(more: #","awaitedPhotos":["\#(digest)"]"#)
        let sent = try await owner.submit(awaiting.replacing("2026-05-01T", with: "2026-04-17T"))
        let (sighting, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
        #expect(try sent.text("missingPhotos.0") == digest)
        func waits(_ after: TestResponse) async throws -> Bool {
            let queue = try await moderator.send(
                .get, "/v1/moderation/queue?subject=sighting&limit=200&from=2026-04-17&to=2026-04-17",
                headers: try after.position)
            return try queue.json["items"]?.items.contains { $0["id"]?.string == sighting } == true
        }
        #expect(try await !waits(sent))
        let added = try await SampleRequests.addPhoto(to: sighting, by: owner)
        #expect(try await waits(added))
        let finding = try await owner.send(.get, "/v1/me/findings/\(sighting)", headers: try added.position)
        #expect(try finding.json["missingPhotos"]?.items.isEmpty == true)
        let faulty = try await owner.send(
            .post, "/v1/sightings", json: Caller.sighting(more: #","awaitedPhotos":["\#(digest.uppercased())"]"#))
        #expect(try faulty.faults == ["/awaitedPhotos/0"])

        let asked = try await decide(sighting, by: moderator, #"{"decision":"ask","note":"Where?"}"#)
        #expect(asked.status == .ok)
        _ = try await owner.send(
            .post, "/v1/me/findings/\(sighting)/answers", headers: [.ifMatch: "*"], json: #"{"text":"By the pond."}"#)
        let other = try await Caller.register(served)
        _ = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try added.position)
        let flagged = try await other.send(
            .post, "/v1/sightings/\(sighting)/flags",
            json: #"{"reason":"wrong-place","taxonId":"\#(taxon)","note":"no pond there"}"#)
        #expect(flagged.status == .noContent)
        let seen = try await moderator.send(.get, "/v1/moderation/sightings/\(sighting)")
        let parked = try asked.json["sighting"]?["review"]?["parkedUntil"]?.string
        #expect(parked != nil)
        let texts = try seen.json["conversation"]?.items.map {
            "\($0["kind"]?.string ?? ""): \($0["text"]?.string ?? "")"
        }
        #expect(texts == ["note: Where?", "answer: By the pond.", "flag: no pond there"])
        let words = try seen["conversation"]?.items ?? []
        #expect(words.map { $0["by"]?.string } == ["moderator", "owner", "account"])
        #expect(words.compactMap { $0["recordedAt"]?.string }.count == 3 && words.last?["taxonId"] == .string(taxon))
        #expect(try seen.json["review"]?["flagReasons"]?.items.compactMap(\.string) == ["wrong-place"])
        #expect(try seen.text("photos.0.id") == added.text("id"))
    }

    @Test func `a wren first called an owl is public at its place when a moderator releases it`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sent = try await owner.submit(Caller.sighting("Spotted Owl"))
        let id = try #require(try sent.text("id"))
        let path = "/v1/moderation/sightings/\(id)/release"
        func release(_ body: String) async throws -> TestResponse {
            try await moderator.send(.post, path, headers: [.ifMatch: "*"], json: body)
        }
        let tooMuch = try await release(#"{"category":3,"note":"a wren"}"#)
        #expect(try tooMuch.faults == ["/category"], "an owl stays an owl")
        #expect(try await release(#"{"note":"a wren"}"#).faults == ["/category"])
        #expect(try await release(#"{"category":5,"note":" "}"#).faults == ["/category", "/note"])
        #expect(try await owner.send(.post, path, headers: [.ifMatch: "*"], json: "{}").status == .forbidden)

        let corrected = try await owner.send(
            .patch, "/v1/me/findings/\(id)", headers: [.ifMatch: "*"], json: #"{"name":"Pacific Wren"}"#)
        let anyone = Caller.anonymous(served)
        let before = try await anyone.send(.get, "/v1/sightings/\(id)", headers: try corrected.position)
        #expect(before.status == .notFound)
        let released = try await release(#"{"category":null,"note":"a wren"}"#)
        let after = try await anyone.send(.get, "/v1/sightings/\(id)", headers: try released.position)
        #expect(try after.json["latitude"] == .number(47.6577))
        let history = try await anyone.send(
            .get, "/v1/sightings/\(id)/history", headers: try released.position)
        #expect(history.status == .ok)
        let again = try await release(#"{"category":null,"note":"a wren"}"#)
        #expect(again.status == .ok, "nothing is left to release")
    }

    @Test func `hidden notes are gone from public answers and return`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sent = try await owner.submit(Caller.sighting(more: #","notes":"at the feeder""#))
        let sighting = try #require(try sent.text("id"))
        let anyone = Caller.anonymous(served)
        let path = "/v1/moderation/sightings/\(sighting)/hidden"
        let hidden = try await moderator.send(
            .put, path, headers: [.ifMatch: "*"], json: #"{"fields":["notes"],"reason":"personal-data"}"#)
        #expect(hidden.status == .ok)
        let without = try await anyone.send(.get, "/v1/sightings/\(sighting)", headers: try hidden.position)
        #expect(try without.text("notes") == nil)
        let shown = try await moderator.send(.delete, path, headers: [.ifMatch: "*"])
        let with = try await anyone.send(.get, "/v1/sightings/\(sighting)", headers: try shown.position)
        #expect(try with.text("notes") == "at the feeder")
        let unknown = try await moderator.send(
            .put, path, headers: [.ifMatch: "*"], json: #"{"fields":["email"],"reason":"other"}"#)
        #expect(try unknown.faults == ["/fields/0"])
    }

    @Test func `a hidden photo is no longer public, and its owner puts the others in order`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit().text("id"))
        var photos: [String] = []
        for _ in 0..<2 {
            let added = try await SampleRequests.addPhoto(to: sighting, by: owner, TestPhotos.another())
            photos.append(try #require(try added.text("id")))
        }
        for photo in photos {
            _ = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
        }
        func order(_ ids: [String]) async throws -> TestResponse {
            let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
            return try await owner.send(
                .put, "/v1/me/findings/\(sighting)/photos", headers: [.ifMatch: "*"], json: #"{"ids":[\#(list)]}"#)
        }
        let before = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try await order(photos).position)
        let turned = try await order(photos.reversed())
        func ids(_ finding: TestResponse) throws -> [String?] {
            try finding.json["photos"]?.items.map { $0["id"]?.string } ?? []
        }
        #expect(try ids(turned) == photos.reversed())
        #expect(
            try ids(await owner.send(.get, "/v1/me/findings/\(sighting)", headers: turned.position))
                == photos.reversed())
        let list = try await owner.send(.get, "/v1/me/findings", headers: turned.position)
        #expect(try list["items.0.photos.0.id"] == .string(photos[1]))
        let corrected = try await owner.send(
            .patch, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"], json: #"{"licence":"CC0-1.0"}"#)
        #expect(try ids(corrected) == photos.reversed())
        let after = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try turned.position)
        #expect(try before.text("photos.0.id") == after.text("photos.1.id"))
        #expect(try await order([photos[0]]).faults == ["/ids"])
        let hidden = try await moderator.send(
            .put, "/v1/moderation/photos/\(photos[0])/hidden", headers: [.ifMatch: "*"], json: #"{"reason":"other"}"#)
        let left = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try hidden.position)
        #expect(try left["photos"]?.items.count == 1)
        let shown = try await moderator.send(
            .delete, "/v1/moderation/photos/\(photos[0])/hidden", headers: [.ifMatch: "*"])
        let both = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try shown.position)
        #expect(try both["photos"]?.items.count == 2)
    }

    @Test func `a flag queues a decided sighting, once an account and for no other's use`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sent = try await owner.submit()
        let sighting = try #require(try sent.text("id"))
        let decided = try await decide(sighting, by: moderator, #"{"decision":"approve"}"#)
        let birder = try await Caller.register(served)
        let path = "/v1/sightings/\(sighting)/flags"
        _ = try await birder.send(.get, "/v1/sightings/\(sighting)", headers: try decided.position)
        let other = try await birder.send(.post, path, json: #"{"reason":"other"}"#)
        #expect(try other.faults == ["/note"])
        #expect(try await birder.send(.post, path, json: #"{"reason":"wrong-place"}"#).status == .noContent)
        let again = try await birder.send(.post, path, json: #"{"reason":"wrong-date"}"#)
        #expect(again.status == .noContent, "a repetition changes nothing")
        #expect(try await owner.send(.post, path, json: #"{"reason":"wrong-place"}"#).problem == "own-record")
        let nothing = try await birder.send(
            .post, "/v1/sightings/\(UUID().uuidString)/flags", json: #"{"reason":"wrong-date"}"#)
        #expect(nothing.status == .notFound)
        let item = try await moderator.send(.get, "/v1/moderation/sightings/\(sighting)")
        #expect(try item["review.flags"] == .integer(1))
    }

    @Test func `an unfounded flag on a photo is dismissed by deciding as before`() async throws {
        let served = try ServedRoutes.required
        let (owner, birder) = (try await Caller.register(served), try await Caller.register(served))
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit(Caller.sighting(on: "2026-04-18")).text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        func approve() async throws -> TestResponse {
            try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
        }
        func item(_ headers: HTTPFields) async throws -> JSONValue? {
            let queue = try await moderator.send(
                .get, "/v1/moderation/queue?subject=photo&limit=200&from=2026-04-18&to=2026-04-18", headers: headers)
            return try queue.json["items"]?.items.first { $0["id"]?.string == photo }
        }
        let approved = try await approve()
        let shown = try await birder.send(.get, "/v1/sightings/\(sighting)", headers: try approved.position)
        let publicID = try #require(try shown.text("photos.0.id"))
        let flagged = try await birder.send(
            .post, "/v1/photos/\(publicID)/flags", json: #"{"reason":"not-own-work","note":"seen elsewhere"}"#)
        #expect(flagged.status == .noContent)
        let later = try await owner.submit().position
        let queued = try #require(try await item(later))
        #expect(queued["review"] == .string("flagged") && queued["flags"] == .integer(1))
        let words = queued["photo"]?["conversation"]?.items ?? []
        #expect(words.map { $0["event"]?.string } == ["approved", "flagged"])
        #expect(words.map { $0["by"]?.string } == ["moderator", "account"])
        #expect(words.first?["name"]?.string?.hasPrefix("birder ") == true && words.last?["name"] == .null)
        #expect(words.last?["reasons"]?.items == [.string("not-own-work")])
        #expect(words.last?["text"]?.string == "seen elsewhere")
        let single = try await moderator.send(.get, "/v1/moderation/photos/\(photo)")
        #expect(try single["conversation"] == queued["photo"]?["conversation"])
        let dismissed = try await approve()
        #expect(try dismissed.text("status") == "approved" && dismissed["version"] == .integer(4))
        #expect(try await item(try dismissed.position) == nil)
    }

    @Test func `a question keeps a sighting and its photos out of the queue for 14 days`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sent = try await owner.submit(Caller.sighting().replacing("2026-05-01T", with: "2026-04-11T"))
        let sighting = try #require(try sent.text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        let asked = try await decide(sighting, by: moderator, #"{"decision":"ask","note":"Where?"}"#)
        let path = "/v1/moderation/queue?from=2026-04-11&to=2026-04-11"
        func queued(daysAhead: Int) async throws -> [String] {
            let queue = try await moderator.read(path, daysAhead: daysAhead)
            return try queue.json["items"]?.items.compactMap { $0["id"]?.string } ?? []
        }
        #expect(try await moderator.send(.get, path, headers: try asked.position)["items"]?.items == [])
        #expect(try await queued(daysAhead: 13) == [])
        #expect(try await queued(daysAhead: 14) == [sighting, photo])
    }

    @Test func `moderators see a sighting after 48 hours, whatever photos it still waits for`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let digest = String(repeating: "0a", count: 32)
        let sighting = Caller.sighting(more: #","awaitedPhotos":["\#(digest)"]"#)
        let sent = try await owner.submit(sighting.replacing("2026-05-01T", with: "2026-04-12T"))
        let path = "/v1/moderation/queue?from=2026-04-12&to=2026-04-12"
        #expect(try await moderator.send(.get, path, headers: try sent.position)["items"]?.items == [])
        #expect(try await moderator.read(path, daysAhead: 1)["items"]?.items == [])
        #expect(try await moderator.read(path, daysAhead: 2).text("items.0.id") == sent.text("id"))
    }

    @Test func `a name that is typed later leaves a moderator's identification`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit(Caller.sighting("Song Sparrow")).text("id"))
        let wren = try #require(try await owner.submit().text("taxon.id"))
        _ = try await moderator.send(
            .post, "/v1/moderation/sightings/\(sighting)/identifications", json: #"{"taxonId":"\#(wren)"}"#)
        let corrected = try await owner.send(
            .patch, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"], json: #"{"name":"Spotted Owl"}"#)
        #expect(try corrected.text("taxon.id") == wren && corrected.text("verbatimName") == "Spotted Owl")
        let moderated = try await moderator.send(.get, "/v1/moderation/sightings/\(sighting)")
        #expect(try moderated.text("sighting.taxon.id") == wren)
        let anyone = Caller.anonymous(served)
        let shown = try await anyone.send(.get, "/v1/sightings/\(sighting)", headers: try corrected.position)
        #expect(shown.status == .gone, "an owl is generalised, under another id")
    }
}
