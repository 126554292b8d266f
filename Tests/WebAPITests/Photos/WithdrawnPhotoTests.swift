import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Testing

@testable import Web

extension RouteTests {
    /// A sighting with a photo that was sent with a key, and a moderator.
    private struct Withdrawal {
        let owner: Caller
        let moderator: Caller
        let sighting: String
        let photo: String
        let key = UUID()

        init(_ served: ServedRoutes) async throws {
            owner = try await Caller.register(served)
            moderator = try await Caller.register(served, role: .moderator)
            sighting = try #require(try await owner.submit().text("id"))
            photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner, key: key).text("id"))
        }

        func withdraw(_ query: String) async throws {
            let gone = try await owner.send(.delete, "/v1/me/findings/\(sighting)\(query)", headers: [.ifMatch: "*"])
            try #require(gone.status == .noContent)
        }

        /// The statuses of reading the photo.
        func reads() async throws -> Set<Int> {
            var statuses: Set<Int> = []
            for (reader, path) in [(owner, "/v1/me/photos/\(photo)"), (moderator, "/v1/moderation/photos/\(photo)")] {
                for file in ["", "/thumb", "/original"] {
                    statuses.insert(try await reader.send(.get, path + file).status.code)
                }
            }
            return statuses
        }

        /// The statuses of changing the photo.
        func changes() async throws -> Set<Int> {
            let path = "/v1/moderation/photos/\(photo)"
            let requests: [(Caller, HTTPRequest.Method, String, String?)] = [
                (moderator, .post, path + "/decisions", #"{"decision":"approve"}"#),
                (moderator, .put, path + "/hidden", #"{"reason":"other"}"#),
                (moderator, .delete, path + "/hidden", nil),
                (owner, .patch, "/v1/me/photos/\(photo)", #"{"altText":"a wren, \#(UUID())"}"#),
            ]
            var statuses: Set<Int> = []
            for (caller, method, path, body) in requests {
                statuses.insert(
                    try await caller.send(method, path, headers: [.ifMatch: "*"], json: body).status.code)
            }
            return statuses
        }

        func retry() async throws -> String? {
            try await SampleRequests.addPhoto(to: sighting, by: owner, key: key).problem
        }

        func delete() async throws -> Int {
            try await owner.send(.delete, "/v1/me/photos/\(photo)", headers: [.ifMatch: "*"]).status.code
        }
    }

    @Test func `photos of a sighting withdrawn as a mistake can be read and deleted, and nothing else`() async throws {
        let scene = try await Withdrawal(try ServedRoutes.required)
        try await scene.withdraw("")
        #expect(try await scene.reads() == [200])
        #expect(try await scene.changes() == [409])
        #expect(try await scene.retry() == "withdrawn")
        #expect(try await scene.delete() == 204)
    }

    @Test func `photos of a sighting withdrawn for privacy are gone for everyone, and can be deleted`() async throws {
        let scene = try await Withdrawal(try ServedRoutes.required)
        try await scene.withdraw("?reason=privacy")
        #expect(try await scene.reads() == [410])
        #expect(try await scene.changes() == [410])
        #expect(try await scene.retry() == "withdrawn")
        let own = try await scene.owner.send(.get, "/v1/me/findings/\(scene.sighting)")
        #expect(try own["photos"]?.items.isEmpty == true)
        for path in ["", "/history"] {
            let reviewed = try await scene.moderator.send(.get, "/v1/moderation/sightings/\(scene.sighting)\(path)")
            #expect(reviewed.status == .gone, "only its owner sees its exact place")
        }
        #expect(try await scene.delete() == 204)
    }

    @Test func `undoing a decision on a photo of a withdrawn sighting fails`() async throws {
        let scene = try await Withdrawal(try ServedRoutes.required)
        let decided = try await scene.moderator.send(
            .post, "/v1/moderation/decisions",
            json: #"{"items":[{"key":"\#(UUID())","subject":"photo","id":"\#(scene.photo)","version":1,"#
                + #""decision":"approve"}]}"#)
        try await scene.withdraw("")
        let undone = try await scene.moderator.send(
            .post, "/v1/moderation/batches/\(try #require(try decided.text("batchId")))/undo",
            headers: try decided.position)
        #expect(try undone.text("items.0.problem.type") == "/problems/withdrawn")
    }

    @Test func `a flag on a photo whose sighting is withdrawn is answered like a first one, and not recorded`()
        async throws
    {
        let served = try ServedRoutes.required
        let scene = try await Withdrawal(served)
        let approved = try await scene.moderator.send(
            .post, "/v1/moderation/photos/\(scene.photo)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        let shown = try await scene.owner.send(
            .get, "/v1/sightings/\(scene.sighting)", headers: try approved.position)
        let id = try #require(try shown.text("photos.0.id"))
        try await scene.withdraw("")
        let other = try await Caller.register(served)
        let flagged = try await other.send(.post, "/v1/photos/\(id)/flags", json: #"{"reason":"inappropriate"}"#)
        #expect([.noContent, .notFound].contains(flagged.status), "404 once the read model has the withdrawal")
        let photo = try await scene.moderator.send(.get, "/v1/moderation/photos/\(scene.photo)")
        #expect(try photo["conversation"]?.items.contains { $0["event"]?.string == "flagged" } == false)
    }
}
