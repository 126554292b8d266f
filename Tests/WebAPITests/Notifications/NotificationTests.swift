import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

extension RouteTests {
    private func decide(_ path: String, by moderator: Caller, _ body: String) async throws -> TestResponse {
        try await moderator.send(.post, "/v1/moderation/\(path)/decisions", headers: [.ifMatch: "*"], json: body)
    }

    @Test func `an owner is told why a photo and texts were hidden`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit().text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        var position: HTTPFields = [:]
        for (method, path, body) in [
            (.put, "photos/\(photo)", #"{"reason":"person-recognisable"}"#), (.delete, "photos/\(photo)", nil),
            (.put, "sightings/\(sighting)", #"{"fields":["notes"],"reason":"personal-data"}"#),
        ] as [(HTTPRequest.Method, String, String?)] {
            let answer = try await moderator.send(
                method, "/v1/moderation/\(path)/hidden", headers: [.ifMatch: "*"], json: body)
            position = try answer.position
        }
        let items = try await owner.send(.get, "/v1/me/notifications", headers: position).json["items"]?.items ?? []
        #expect(items.map { $0["kind"]?.string } == ["hidden", "shown", "hidden"])
        #expect(
            items.map { $0["reasons"]?.items.compactMap(\.string) } == [["person-recognisable"], [], ["personal-data"]])
    }

    @Test func `an owner is told what moderators did, and nothing that they did themselves`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let path = "/v1/me/notifications"
        #expect(try await owner.send(.get, path)["unread"] == .integer(0))
        let sent = try await owner.submit()
        let sighting = try #require(try sent.text("id"))
        _ = try await owner.send(
            .post, "/v1/me/findings/\(sighting)/identifications",
            json: #"{"taxonId":"\#(try sent.text("taxon.id") ?? "")","remarks":"by its song"}"#)
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        _ = try await decide("photos/\(photo)", by: moderator, #"{"decision":"reject","reasons":["inappropriate"]}"#)
        _ = try await decide("sightings/\(sighting)", by: moderator, #"{"decision":"approve"}"#)
        // The correction reopens it, by its owner.
        _ = try await owner.send(
            .patch, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"], json: #"{"count":9}"#)
        let last = try await decide(
            "sightings/\(sighting)", by: moderator,
            #"{"decision":"reject","reasons":["wrong-date"],"note":"fresh snow"}"#)

        let page = try await owner.send(.get, path + "?limit=2", headers: try last.position)
        let items = try page.json["items"]?.items ?? []
        #expect(items.map { $0["number"]?.integer } == [1, 2])
        #expect(items.map { $0["kind"]?.string } == ["rejected", "approved"])
        #expect(items.map { $0["photoId"]?.string } == [photo, nil])
        #expect(items.map { $0["sightingId"]?.string } == [sighting, sighting])
        #expect(try page["unread"] == .integer(3) && page.text("next") == "2")
        let rest = try await owner.send(.get, path + "?after=2")
        #expect(try rest.text("items.0.reasons.0") == "wrong-date" && rest.text("items.0.note") == "fresh snow")
        #expect(try rest["next"] == .null)
        #expect(try !String(buffer: rest.body).contains(#require(moderator.account).description))

        let read = try await owner.send(.put, path + "/read", json: #"{"upTo":2}"#)
        #expect(try read["unread"] == .integer(1))
        let back = try await owner.send(.put, path + "/read", json: #"{"upTo":1}"#)
        #expect(try back["unread"] == .integer(1))
        let beyond = try await owner.send(.put, path + "/read", json: #"{"upTo":2000}"#)
        #expect(try beyond["unread"] == .integer(0))
        // A number beyond the newest does not mark later ones as read.
        let next = try await decide("sightings/\(sighting)", by: moderator, #"{"decision":"approve"}"#)
        #expect(try await owner.send(.get, path, headers: try next.position)["unread"] == .integer(1))
        #expect(try await owner.send(.get, path + "?after=-1").status == .badRequest)
        #expect(try await moderator.send(.get, path, headers: try next.position)["unread"] == .integer(0))
    }
}
