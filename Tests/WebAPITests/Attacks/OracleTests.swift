import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import Imports
import JSON
import NIOCore
import Service
import Testing

@testable import Web

/// A stranger who knows an id, or guesses one, learns nothing of what is hidden: it is answered like a random one.
struct OracleTests {
    /// A sighting with an approved photo.
    private struct Scene {
        let served: ServedRoutes
        let owner: Caller
        let moderator: Caller
        let sighting: String
        let photo: String
        let taxon: String

        init(_ served: ServedRoutes, of name: String) async throws {
            self.served = served
            (owner, moderator) = (try await .register(served), try await .register(served, role: .moderator))
            let sent = try await owner.submit(Caller.sighting(name))
            (sighting, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
            photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
            let decided = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            try await served.followToHead()
            try #require(decided.status == .ok)
        }

        /// The public ids of the sighting and of its photo, which the stranger does not know yet.
        func publicIDs(daysAhead days: Int) async throws -> (sighting: String, photo: String) {
            let gallery = try await Caller.anonymous(served).read("/v1/taxa/\(taxon)/gallery", daysAhead: days)
            let finding = try await owner.send(.get, "/v1/me/findings/\(sighting)")
            return (
                try #require(try finding.text("publicId")),
                try #require(try gallery.text("items.0.id"), "the gallery does not have the photo")
            )
        }
    }

    /// A moment when the present month is over, in days from now.
    private static let later = 40

    @Test func `flags tell nothing of what is hidden`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene(served, of: "Spotted Owl")
            let known = try await scene.publicIDs(daysAhead: Self.later)
            let (stranger, other) = (try await Caller.register(served), try await Caller.register(served))
            func flag(_ path: String, by caller: Caller, daysAhead days: Int = 0) async throws -> String {
                try await ServedRoutes.$now.withValue(.now.adding(seconds: days * 86_400)) {
                    let answer = try await caller.send(.post, path + "/flags", json: #"{"reason":"wrong-place"}"#)
                    return "\(answer.status.code) \(try answer.problem ?? "-")"
                }
            }
            for path in ["sightings/\(scene.sighting)", "photos/\(scene.photo)"] {
                for days in [0, Self.later] {
                    #expect(try await flag("/v1/" + path, by: stranger, daysAhead: days) == "404 not-found")
                }
            }
            for path in ["/v1/sightings/\(known.sighting)", "/v1/photos/\(known.photo)"] {
                #expect(try await flag(path, by: stranger) == "404 not-found", "flagged before its month is over")
                #expect(try await flag(path, by: stranger, daysAhead: Self.later) == "204 -")
                #expect(try await flag(path, by: stranger, daysAhead: Self.later) == "204 -", "reveals a former id")
                #expect(try await flag(path, by: other, daysAhead: Self.later) == "204 -", "shows another's flag")
            }
        }
    }

    @Test(arguments: ["hidden", "obscured", "private", "withdrawn", "raised"])
    func `the former addresses of a photo are answered like any other`(_ change: String) async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene(served, of: "Pacific Wren")
            let former = try await scene.publicIDs(daysAhead: 0).photo
            func answers(of photo: String, daysAhead days: Int) async throws -> [String] {
                var answers: [String] = []
                for path in ["/v1/photos/\(photo)", "/v1/photos/\(photo)/thumb"] {
                    let answer = try await Caller.anonymous(served).read(path, daysAhead: days)
                    answers.append("\(answer.status.code) \(try answer.problem ?? "-")")
                }
                return answers
            }
            #expect(try await answers(of: former, daysAhead: 0) == ["200 -", "200 -"])
            try await Self.apply(change, to: scene)
            let unknown = try await answers(of: UUID().uuidString.lowercased(), daysAhead: 0)
            #expect(unknown == ["404 not-found", "404 not-found"])
            for days in [0, Self.later] { #expect(try await answers(of: former, daysAhead: days) == unknown) }
            let path = "/v1/taxa/\(scene.taxon)/gallery"
            let items = try await Caller.anonymous(served).read(path, daysAhead: Self.later)["items"]?.items ?? []
            #expect(items.count == (["hidden", "withdrawn"].contains(change) ? 0 : 1))
            #expect(items.allSatisfy { $0["id"]?.string != former })
        }
    }

    @Test func `only moderators see that two photos are alike`() async throws {
        try await ServedRoutes.run { served in
            let hidden = try await Scene(served, of: "Spotted Owl")
            let open = try await Scene(served, of: "Pacific Wren")
            let waiting = try await SampleRequests.addPhoto(
                to: open.sighting, by: open.owner, TestPhotos.another())
            let queue = try await open.moderator.send(
                .get, "/v1/moderation/queue?subject=photo", headers: try waiting.position)
            #expect(try queue["items.0.resembles"]?.items.contains(.string(hidden.photo)) == true)
            let own = try await open.owner.send(.get, "/v1/me/photos/\(open.photo)")
            let secrets = [hidden.photo, open.photo, try #require(try own.text("sha256"))]
            for scene in [hidden, open] {
                let known = try await scene.publicIDs(daysAhead: Self.later)
                for path in [
                    "/v1/photos/\(known.photo)", "/v1/sightings/\(known.sighting)",
                    "/v1/sightings/\(known.sighting)/history", "/v1/taxa/\(scene.taxon)/gallery",
                ] {
                    let answer = try await Caller.anonymous(served).read(path, daysAhead: Self.later)
                    let text = "\(answer.headers) \(String(buffer: answer.body))"
                    #expect(answer.status == .ok && !secrets.contains(where: text.contains), "\(path)")
                }
            }
        }
    }

    private static func apply(_ change: String, to scene: Scene) async throws {
        let path = "/v1/me/findings/\(scene.sighting)"
        switch change {
        case "hidden":
            _ = try await scene.moderator.send(
                .put, "/v1/moderation/photos/\(scene.photo)/hidden", headers: [.ifMatch: "*"],
                json: #"{"reason":"person-recognisable"}"#)
        case "withdrawn":
            _ = try await scene.owner.send(.delete, path + "?reason=privacy", headers: [.ifMatch: "*"])
        case "raised": try await scene.served.raise("Troglodytes pacificus")
        default:
            _ = try await scene.owner.send(
                .patch, path, headers: [.ifMatch: "*"], json: #"{"geoprivacy":"\#(change)"}"#)
        }
        try await scene.served.followToHead()
    }
}

extension ServedRoutes {
    /// Makes a taxon sensitive, as `skein import sensitivity` does with a list of only that.
    fileprivate func raise(_ taxon: String) async throws {
        let list = FileManager.default.temporaryDirectory.appending(path: "sensitivity-\(UUID().uuidString).tsv")
        defer { try? FileManager.default.removeItem(at: list) }
        try Data("scientificName\tcategory\treason\tsource\n\(taxon)\t2\tnests\ta list\n".utf8).write(to: list)
        _ = try await SensitivityImport(log: cases.imports).run(list.path)
    }
}
