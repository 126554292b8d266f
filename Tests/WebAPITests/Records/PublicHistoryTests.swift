import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

extension RouteTests {
    /// A sighting with two photos: one moderator approved it and rejected the second photo, another one approved the
    /// first photo.
    private struct JudgedSighting {
        let (owner, first, second): (Caller, Caller, Caller)
        let id: String
        let photos: [String]
        var position: HTTPFields

        init(_ served: ServedRoutes) async throws {
            owner = try await Caller.register(served)
            first = try await Caller.register(served, role: .moderator)
            second = try await Caller.register(served, role: .moderator)
            id = try #require(try await owner.submit().text("id"))
            photos = [
                try #require(try await SampleRequests.addPhoto(to: id, by: owner).text("id")),
                try #require(try await SampleRequests.addPhoto(to: id, by: owner, TestPhotos.another()).text("id")),
            ]
            position = [:]
            try await decide("sightings/\(id)", by: first, #"{"decision":"approve"}"#)
            try await decide("photos/\(photos[0])", by: second, #"{"decision":"approve"}"#)
            try await decide("photos/\(photos[1])", by: first, #"{"decision":"reject","reasons":["not-own-work"]}"#)
        }

        mutating func decide(_ subject: String, by moderator: Caller, _ decision: String) async throws {
            let decided = try await moderator.send(
                .post, "/v1/moderation/\(subject)/decisions", headers: [.ifMatch: "*"], json: decision)
            #expect(decided.status == .ok, "\(String(buffer: decided.body))")
            position = try decided.position
        }

        mutating func send(
            _ method: HTTPRequest.Method, _ path: String, by caller: Caller, _ body: String? = nil
        ) async throws {
            let answer = try await caller.send(method, path, headers: [.ifMatch: "*"], json: body)
            #expect([.ok, .noContent].contains(answer.status), "\(String(buffer: answer.body))")
            position = try answer.position
        }

        /// A line for each event that anyone sees: its subject, kind, author and reason.
        func history() async throws -> [String] {
            let answer = try await Caller.anonymous(owner.served).send(
                .get, "/v1/sightings/\(id)/history", headers: position)
            return try answer.json["items"]?.items.map { item in
                ["subject", "kind", "by", "reason"].compactMap { item[$0]?.string }.joined(separator: " ")
            } ?? []
        }
    }

    @Test func `a public history numbers moderators and has the decisions on photos`() async throws {
        var judged = try await JudgedSighting(try ServedRoutes.required)
        let submitted = "sighting submitted owner"
        let decisions = [
            "sighting approved moderator 1", "photo approved moderator 2", "photo rejected moderator 1 content",
        ]
        #expect(try await judged.history() == [submitted] + decisions)

        let path = "/v1/moderation/photos/\(judged.photos[0])/hidden"
        try await judged.send(.put, path, by: judged.second, #"{"reason":"personal-data"}"#)
        #expect(try await judged.history() == [submitted] + decisions, "hiding takes the photo, not its decision")

        try await judged.send(.patch, "/v1/me/findings/\(judged.id)", by: judged.owner, #"{"count":7}"#)
        let corrected = ["sighting corrected owner", "sighting reopened owner"]
        #expect(Set(try await judged.history().dropFirst(4)).isSubset(of: corrected))
        try await judged.decide("sightings/\(judged.id)", by: judged.second, #"{"decision":"approve"}"#)
        #expect(try await judged.history().last == "sighting approved moderator 2")
        let captive = "/v1/moderation/sightings/\(judged.id)/captive"
        try await judged.send(.put, captive, by: judged.first, #"{"captive":true}"#)
        #expect(try await judged.history().contains("sighting corrected moderator 1"))

        try await judged.send(.delete, "/v1/me/photos/\(judged.photos[1])", by: judged.owner)
        #expect(try await judged.history().contains { $0.contains("content") } == false)
    }

    @Test func `a public history names a photo while it is shown`() async throws {
        var judged = try await JudgedSighting(try ServedRoutes.required)
        let anyone = Caller.anonymous(judged.owner.served)
        let shown = try await anyone.send(.get, "/v1/sightings/\(judged.id)", headers: judged.position)
        let photo = try #require(try shown.text("photos.0.id"))
        let before = try await anyone.send(.get, "/v1/sightings/\(judged.id)/history")
        #expect(try before.text("items.2.photoId") == photo && before["items.3.photoId"] == .null)
        #expect(try before["items.0.photoId"] == .null && before["items.2.version"] == .null)

        let path = "/v1/moderation/photos/\(judged.photos[0])/hidden"
        try await judged.send(.put, path, by: judged.second, #"{"reason":"personal-data"}"#)
        let after = try await anyone.send(.get, "/v1/sightings/\(judged.id)/history", headers: judged.position)
        #expect(try after["items.2.photoId"] == .null)
    }

    @Test func `the history of a sighting made private has no decisions on photos`() async throws {
        var judged = try await JudgedSighting(try ServedRoutes.required)
        try await judged.send(.patch, "/v1/me/findings/\(judged.id)", by: judged.owner, #"{"geoprivacy":"private"}"#)
        #expect(try await judged.history().isEmpty)
    }
}
