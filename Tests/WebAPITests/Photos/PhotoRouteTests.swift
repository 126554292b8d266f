import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import Testing

@testable import Web

extension RouteTests {
    @Test func `a photo is sent, described, downloaded in parts and deleted`() async throws {
        let owner = try await Caller.register(try ServedRoutes.required)
        let sighting = try #require(try await owner.submit().text("id"))
        let key = UUID()
        let added = try await SampleRequests.addPhoto(to: sighting, by: owner, key: key)
        #expect(added.status == .created, "\(String(buffer: added.body))")
        let path = try #require(added.headers[.location])
        #expect(try added["width"]?.integer == 24 && added["height"]?.integer == 16)
        #expect(try added.text("status") == "pending" && added.text("licence") == "CC-BY-4.0")
        let again = try await SampleRequests.addPhoto(to: sighting, by: owner, key: key)
        #expect(try again.status == .created && again.text("id") == added.text("id"))

        let listed = try await owner.send(.get, "/v1/me/findings")
        #expect(try listed.text("items.0.photos.0.id") == added.text("id"))
        let described = try await owner.send(
            .patch, path, headers: [.ifMatch: try #require(added.headers[.eTag])],
            json: #"{"altText":"noise","licence":"CC0-1.0"}"#)
        #expect(try described.text("altText") == "noise" && described.text("licence") == "CC0-1.0")
        let stale = try await owner.send(
            .patch, path, headers: [.ifMatch: try #require(added.headers[.eTag])], json: #"{"altText":"other"}"#)
        #expect(stale.status == .preconditionFailed)

        let original = try await owner.send(.get, path + "/original")
        #expect(original.body == TestPhotos.jpeg && original.headers[.cacheControl] == "private, no-store")
        let part = try await owner.send(.get, path + "/original", headers: [.range: "bytes=2-5"])
        #expect(part.status == .partialContent && part.body == TestPhotos.jpeg.getSlice(at: 2, length: 4))
        #expect(part.headers[.contentRange] == "bytes 2-5/\(TestPhotos.jpeg.readableBytes)")
        let most = try await owner.send(.get, path + "/original", headers: [.range: "bytes=2-9223372036854775807"])
        #expect(most.status == .partialContent && most.body.readableBytes == TestPhotos.jpeg.readableBytes - 2)
        let end = try await owner.send(.get, path + "/original", headers: [.range: "bytes=-9223372036854775807"])
        #expect(end.status == .partialContent && end.body == TestPhotos.jpeg)
        let beyond = try await owner.send(.get, path + "/original", headers: [.range: "bytes=99999-"])
        #expect(beyond.status == .rangeNotSatisfiable)
        let tag = try #require(original.headers[.eTag])
        let known = try await owner.send(.get, path + "/original", headers: [.ifNoneMatch: tag])
        #expect(known.status == .notModified)
        let thumb = try await owner.send(.get, path + "/thumb")
        #expect(thumb.status == .ok && thumb.headers[.contentType] == "image/jpeg")
        #expect(try await owner.send(.get, path + "/huge").status == .notFound)

        let deleted = try await owner.send(.delete, path, headers: [.ifMatch: "*"])
        #expect(deleted.status == .noContent)
        #expect(try await owner.send(.get, path).status == .gone)
        #expect(try await owner.send(.get, path + "/thumb").status == .gone)
        #expect(try await SampleRequests.addPhoto(to: sighting, by: owner, key: key).status == .gone)
        #expect(try await owner.send(.get, "/v1/me/findings/\(sighting)")["photos"]?.items.isEmpty == true)
    }

    @Test func `a sighting keeps ten of eleven photos sent at once, and a deleted one makes room`() async throws {
        let owner = try await Caller.register(try ServedRoutes.required)
        let sighting = try #require(try await owner.submit().text("id"))
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<11 {
                group.addTask { try await SampleRequests.addPhoto(to: sighting, by: owner, TestPhotos.another()) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let kept = answers.filter { $0.status == .created }
        #expect(kept.count == 10)
        let rejected = try #require(answers.first { $0.status != .created })
        #expect(try rejected.status == .conflict && rejected.text("type") == "/problems/too-many-photos")
        _ = try await owner.send(
            .delete, try #require(kept[0].headers[.location]), headers: [.ifMatch: "*"])
        #expect(try await SampleRequests.addPhoto(to: sighting, by: owner, TestPhotos.another()).status == .created)
    }

    @Test func `a file that is no photo is rejected, and leaves nothing behind`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let truncated = try #require(TestPhotos.jpeg.getSlice(at: 0, length: 250))
        let cases: [(ByteBuffer, String, HTTPResponse.Status, String)] = [
            (ByteBuffer(string: "GIF89a, and more"), "image/jpeg", .unsupportedMediaType, "unsupported-media-type"),
            (truncated, "image/jpeg", .unprocessableContent, "unreadable-photo"),
            (ByteBuffer(), "image/jpeg", .unsupportedMediaType, "unsupported-media-type"),
            (
                ByteBuffer(repeating: 0xFF, count: 25_000_001), "image/jpeg", .contentTooLarge, "content-too-large"
            ),
        ]
        for (body, type, status, problem) in cases {
            let answer = try await SampleRequests.addPhoto(to: sighting, by: owner, body, type: type)
            #expect(try answer.status == status && answer.text("type") == "/problems/\(problem)")
        }
        #expect(try await owner.send(.get, "/v1/me/findings/\(sighting)")["photos"]?.items.isEmpty == true)
        let other = try await Caller.register(served)
        #expect(try await SampleRequests.addPhoto(to: sighting, by: other).status == .notFound)
        _ = try await owner.send(.delete, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"])
        #expect(try await SampleRequests.addPhoto(to: sighting, by: owner).status == .conflict)
    }

    @Test func `an owner's gallery has each photo once, except those of withdrawn sightings`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        var photos: [String] = []
        var sightings: [String] = []
        for _ in 0..<3 {
            let sighting = try #require(try await owner.submit().text("id"))
            sightings.append(sighting)
            photos.append(try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id")))
        }
        let approved = try await moderator.send(
            .post, "/v1/moderation/photos/\(photos[1])/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        let path = "/v1/me/gallery"
        func ids(_ response: TestResponse) throws -> [String?] {
            try response.json["items"]?.items.map { $0["id"]?.string } ?? []
        }
        let first = try await owner.send(.get, path + "?limit=2", headers: try approved.position)
        #expect(try ids(first) == [photos[2], photos[1]])
        let cursor = try #require(try first.text("next"))
        let rest = try await owner.send(.get, path + "?limit=2&after=\(cursor)")
        #expect(try ids(rest) == [photos[0]] && rest["next"] == .null)
        #expect(try rest["items.0.hints"] != nil)
        #expect(try ids(await owner.send(.get, path + "?status=approved")) == [photos[1]])
        #expect(try await owner.send(.get, path + "?status=deleted").status == .badRequest)
        #expect(try ids(await moderator.send(.get, path)) == [])
        let withdrawn = try await owner.send(
            .delete, "/v1/me/findings/\(sightings[2])", headers: [.ifMatch: "*"])
        #expect(try ids(await owner.send(.get, path, headers: withdrawn.position)) == [photos[1], photos[0]])
    }

    @Test func `photos and galleries as of a day show what was approved by its end`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let observer = try #require(try await owner.send(.get, "/v1/me").text("observerId"))
        for _ in 0..<2 {
            let sent = try await owner.submit()
            let added = try await SampleRequests.addPhoto(to: try #require(try sent.text("id")), by: owner)
            let approved = try await moderator.send(
                .post, "/v1/moderation/photos/\(try #require(try added.text("id")))/decisions",
                headers: [.ifMatch: "*"], json: #"{"decision":"approve"}"#)
            let shown = try await owner.send(
                .get, "/v1/observers/\(observer)/gallery", headers: try approved.position)
            try #require(shown.status == .ok)
        }
        let today = Instant.now.date()
        func read(_ path: String, asOf day: CivilDate) async throws -> TestResponse {
            try await owner.read("\(path)asOf=\(day)", daysAhead: 2)
        }
        let gallery = "/v1/observers/\(observer)/gallery?limit=1&"
        let first = try await read(gallery, asOf: today)
        #expect(try await read(gallery, asOf: today).headers[.eTag] == first.headers[.eTag], "the same page again")
        let photo = "/v1/photos/\(try #require(try first.text("items.0.id")))?"
        let next = "\(gallery)after=\(try #require(try first.text("next")))&"
        #expect(try await read(next, asOf: today)["items"]?.items.count == 1)
        #expect(try await read(photo, asOf: today).status == .ok)
        let yesterday = today.adding(days: -1)
        #expect(try await read(gallery, asOf: yesterday)["items"]?.items.isEmpty == true)
        #expect(try await read(next, asOf: yesterday).problem == "invalid-parameter", "a cursor is of one day")
        #expect(try await read(photo, asOf: yesterday).problem == "not-found")
        #expect(try await read(gallery, asOf: today.adding(days: 3)).problem == "day-not-over")
    }

    @Test func `galleries are filtered by kind and region, and a cursor is of one filter`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let observer = try #require(try await owner.send(.get, "/v1/me").text("observerId"))
        let inHawaii = Caller.sighting().replacing("47.6577", with: "19.6").replacing("-122.4056", with: "-155.5")
        let bodies = [Caller.sighting(), inHawaii, Caller.sighting("Some bird"), Caller.sighting()]
        var (photos, taxon): ([String], String?) = ([], nil)
        var position: HTTPFields = [:]
        for body in bodies {
            let sent = try await owner.submit(body)
            taxon = try taxon ?? sent.text("taxon.id")
            let added = try await SampleRequests.addPhoto(to: try #require(try sent.text("id")), by: owner)
            photos.append(try #require(try added.text("id")))
            let approved = try await moderator.send(
                .post, "/v1/moderation/photos/\(photos.last ?? "")/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            position = try approved.position
        }
        func count(_ path: String, by caller: Caller = .anonymous(served)) async throws -> Int {
            let page = try await caller.send(.get, path, headers: position)
            try #require(page.status == .ok, "\(String(buffer: page.body))")
            return try page.json["items"]?.items.count ?? 0
        }
        let own = "/v1/me/gallery?limit=200"
        let ofTaxon = "/v1/taxa/\(try #require(taxon))/gallery?region=hawaii&kind=bird"
        let ofObserver = "/v1/observers/\(observer)/gallery?limit=200"
        for (query, expected) in [
            "": 4, "&kind=bird": 3, "&region=hawaii": 1, "&region=hawaii&kind=bird": 1, "&region=hawaii&kind=mammal": 0,
        ] {
            #expect(try await count(own + query, by: owner) == expected, "\(query)")
            #expect(try await count(ofObserver + query) == expected, "\(query)")
        }
        #expect(try await count(ofTaxon) == 1)
        #expect(try await count(ofTaxon.replacing("bird", with: "mammal")) == 0)
        #expect(try await count("/v1/observers/\(UUID())/gallery") == 0)

        for (path, caller) in [(own, owner), (ofObserver, .anonymous(served))] {
            let short = path.replacing("limit=200", with: "limit=2") + "&kind=bird"
            let first = try await caller.send(.get, short, headers: position)
            let cursor = try #require(try first.text("next"))
            #expect(try await count(short + "&after=\(cursor)", by: caller) == 1)
            for other in [short.replacing("bird", with: "mammal"), short + "&region=hawaii"] {
                #expect(try await caller.send(.get, other + "&after=\(cursor)").status == .badRequest)
            }
            let wrong = try await caller.send(.get, path + "&region=Not%20one&kind=dragon")
            #expect(try wrong.json["errors"]?.items.count == 2)
        }
    }
}
