import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Testing

@testable import Web

extension RouteTests {
    private func decide(
        _ subject: String, _ id: String, by caller: Caller, version: String = "*", _ body: String
    ) async throws -> TestResponse {
        try await caller.send(
            .post, "/v1/moderation/\(subject)/\(id)/decisions", headers: [.ifMatch: version], json: body)
    }

    @Test func `a photo is queued, approved, public, and gone when its owner deletes it`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let observer = try #require(try await owner.send(.get, "/v1/me").text("observerId"))
        let sent = try await owner.submit()
        let (sighting, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
        let added = try await SampleRequests.addPhoto(to: sighting, by: owner)
        let photo = try #require(try added.text("id"))

        let claimed = try await moderator.send(
            .post, "/v1/moderation/claims", headers: try added.position,
            json: #"{"limit":50,"subject":"photo","observerId":"\#(observer)"}"#)
        let items = try claimed.json["items"]?.items ?? []
        let item = try #require(items.first { $0["id"]?.string == photo })
        #expect(item["sightingReview"]?["sighting"]?["id"]?.string == sighting)
        let version = try #require(item["version"]?.integer)
        let other = try await Caller.register(served, role: .moderator)
        let rival = try await decide("photos", photo, by: other, #"{"decision":"approve"}"#)
        #expect(try rival.status == .conflict && rival.text("type") == "/problems/claimed")

        let stale = try await decide("photos", photo, by: moderator, version: "\"9.x\"", #"{"decision":"approve"}"#)
        #expect(stale.status == .preconditionFailed)
        let decided = try await decide(
            "photos", photo, by: moderator, version: "\"\(version).x\"", #"{"decision":"approve"}"#)
        #expect(try decided.status == .ok && decided.text("status") == "approved")

        let shown = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try decided.position)
        let publicID = try #require(try shown.text("photos.0.id"))
        #expect(publicID != photo)
        let anyone = Caller.anonymous(served)
        let thumb = try await anyone.send(.get, "/v1/photos/\(publicID)/thumb")
        #expect(thumb.status == .ok && thumb.headers[.cacheControl]?.hasPrefix("public") == true)
        let gallery = try await anyone.send(.get, "/v1/taxa/\(taxon)/gallery?limit=200")
        #expect(try gallery.json["items"]?.items.contains { $0["id"]?.string == publicID } == true)

        let deleted = try await owner.send(.delete, "/v1/me/photos/\(photo)", headers: [.ifMatch: "*"])
        let after = try await anyone.send(.get, "/v1/photos/\(publicID)", headers: try deleted.position)
        #expect(after.status == .notFound)
        #expect(try await anyone.send(.get, "/v1/photos/\(publicID)/thumb").status == .notFound)
    }

    @Test func `a rejected sighting is a notice, with its reason, until it is reopened`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit().text("id"))
        let without = try await decide("sightings", sighting, by: moderator, #"{"decision":"reject"}"#)
        #expect(try without.status == .unprocessableContent && without.faults == ["/reasons"])
        let unknown = try await decide(
            "sightings", sighting, by: moderator, #"{"decision":"reject","reasons":["ugly"]}"#)
        #expect(try unknown.faults == ["/reasons/0"])
        let rejected = try await decide(
            "sightings", sighting, by: moderator, #"{"decision":"reject","reasons":["wrong-place"],"note":"at sea"}"#)
        #expect(try rejected.text("sighting.status") == "rejected")
        let anyone = Caller.anonymous(served)
        let notice = try await anyone.send(.get, "/v1/sightings/\(sighting)", headers: try rejected.position)
        #expect(try notice.text("status") == "rejected" && notice.text("reason") == "wrong-place")
        #expect(try notice["latitude"] == nil)
        let history = try await owner.send(.get, "/v1/me/findings/\(sighting)/history", headers: try rejected.position)
        #expect(try history.text("items.1.kind") == "rejected" && history.text("items.1.by") == "moderator")
        let reopened = try await decide("sightings", sighting, by: moderator, #"{"decision":"reopen"}"#)
        let back = try await anyone.send(.get, "/v1/sightings/\(sighting)", headers: try reopened.position)
        #expect(try back.text("status") == "pending" && back["latitude"] != nil)
    }

    @Test func `moderators neither judge nor see their own sightings in the queue`() async throws {
        let served = try ServedRoutes.required
        let moderator = try await Caller.register(served, role: .moderator)
        let sent = try await moderator.submit(Caller.sighting(on: "2026-04-15"))
        let sighting = try #require(try sent.text("id"))
        let path = "/v1/moderation/queue?limit=200&from=2026-04-15&to=2026-04-15"
        let own = try await decide("sightings", sighting, by: moderator, #"{"decision":"approve"}"#)
        #expect(try own.status == .forbidden && own.text("type") == "/problems/own-record")
        let queue = try await moderator.send(.get, path, headers: try sent.position)
        #expect(try queue.json["items"]?.items.contains { $0["id"]?.string == sighting } == false)
        let other = try await Caller.register(served, role: .moderator)
        let theirs = try await other.send(.get, path, headers: try sent.position)
        #expect(try theirs.json["items"]?.items.contains { $0["id"]?.string == sighting } == true)
    }

    @Test func `owners and moderators read who decided what, why, and with which note`() async throws {
        let served = try ServedRoutes.required
        let (owner, other) = (try await Caller.register(served), try await Caller.register(served))
        let moderator = try await Caller.register(served, role: .moderator)
        let admin = try await Caller.register(served, role: .admin)
        let sighting = try #require(try await owner.submit().text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        let rejected = try await decide(
            "photos", photo, by: moderator, #"{"decision":"reject","reasons":["unreadable"],"note":"too dark"}"#)
        let approved = try await decide(
            "sightings", sighting, by: moderator, #"{"decision":"approve","note":"the song is enough"}"#)
        _ = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try approved.position)
        let flagged = try await other.send(
            .post, "/v1/sightings/\(sighting)/flags", json: #"{"reason":"wrong-date","note":"it snowed"}"#)
        #expect(rejected.status == .ok && flagged.status == .noContent)
        try await served.followToHead()
        func history(_ path: String, _ caller: Caller) async throws -> [String] {
            let answer = try await caller.send(.get, path)
            return try answer.json["items"]?.items.map { entry in
                let reasons = entry["reasons"]?.items.compactMap(\.string) ?? []
                let told = ["subject", "kind", "by", "note"].map { entry[$0]?.string ?? "-" }
                return (told + reasons).joined(separator: " ")
            } ?? []
        }
        let shared = [
            "sighting submitted owner -", "photo rejected moderator too dark unreadable",
            "sighting approved moderator the song is enough",
        ]
        let own = "/v1/me/findings/\(sighting)/history"
        let moderated = "/v1/moderation/sightings/\(sighting)/history"
        #expect(try await history(own, owner) == shared + ["sighting flagged account -"])
        #expect(try await history(moderated, moderator) == shared + ["sighting flagged account it snowed wrong-date"])
        let named = try await owner.send(.get, own).json["items"]?.items
            .map { $0["name"]?.string?.hasPrefix("birder ") }
        #expect(named == [nil, true, true, nil])
        let origins = try await admin.send(.get, moderated).json["items"]?.items.compactMap { $0["accountId"]?.string }
        #expect(origins?.count == 4)
        #expect(try await moderator.send(.get, moderated).json["items"]?.items.first?["accountId"] == nil)
        #expect(try await owner.send(.get, moderated).status == .forbidden)
        #expect(try await other.send(.get, own).status == .notFound)
    }

    @Test func `an unusual record takes two moderators`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let first = try await Caller.register(served, role: .moderator)
        let second = try await Caller.register(served, role: .admin)
        let sighting = try #require(try await owner.submit().text("id"))
        let reject = #"{"decision":"reject","reasons":["out-of-range"]}"#
        let asked = try await decide("sightings", sighting, by: first, reject)
        #expect(try asked.text("sighting.status") == "pending" && asked["review.secondOpinion"] == .boolean(true))
        let again = try await decide("sightings", sighting, by: first, reject)
        #expect(try again.text("type") == "/problems/other-moderator-required")
        let waiting = try await owner.send(.get, "/v1/me/findings", headers: try asked.position)
        #expect(try waiting.text("items.0.review.kind") == "second-opinion")
        let final = try await decide("sightings", sighting, by: second, reject)
        #expect(try final.text("sighting.status") == "rejected")
        let rejected = try await owner.send(.get, "/v1/me/findings", headers: try final.position)
        #expect(try rejected.text("items.0.review.reasons.0") == "out-of-range")
        #expect(try rejected.json["items"]?.items.first?["review"]?["kind"] == .null)
    }

    @Test func `a second opinion about an approved record waits in the queue, and can keep it approved`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let first = try await Caller.register(served, role: .moderator)
        let second = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit(Caller.sighting(on: "2026-04-16")).text("id"))
        _ = try await decide("sightings", sighting, by: second, #"{"decision":"approve"}"#)
        let asked = try await decide(
            "sightings", sighting, by: first, #"{"decision":"reject","reasons":["out-of-range"]}"#)
        func entry(_ after: TestResponse) async throws -> JSONValue? {
            let path = "/v1/moderation/queue?limit=200&from=2026-04-16&to=2026-04-16"
            let queue = try await second.send(.get, path, headers: try after.position)
            return try queue.json["items"]?.items.first { $0["id"]?.string == sighting }
        }
        #expect(try await entry(asked)?["review"]?.string == "second-opinion")
        let kept = try await decide("sightings", sighting, by: second, #"{"decision":"approve"}"#)
        #expect(try kept.text("sighting.status") == "approved")
        #expect(try await entry(kept) == nil)
    }
}
