import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Imports
@testable import Service
@testable import Web

/// Photos of guarded records are in the gallery of their taxon only, and nothing there says whose they are.
struct GuardedPhotoTests {
    /// A sighting with an approved photo.
    private struct Scene {
        let owner: Caller
        /// The owner's id of the sighting.
        let id: String
        let taxon: String
        /// The id of the photo for its owner and moderators.
        let photo: String
        /// What the public model must have.
        var position: HTTPFields

        init(_ served: ServedRoutes, _ name: String = "Pacific Wren", more: String = "") async throws {
            owner = try await Caller.register(served)
            let sent = try await owner.submit(Caller.sighting(name, more: more))
            (id, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
            photo = try await Self.approvedPhoto(of: id, owner)
            position = try await served.publicPosition()
        }

        static func approvedPhoto(of sighting: String, _ owner: Caller) async throws -> String {
            let moderator = try await Caller.register(owner.served, role: .moderator)
            let added = try await SampleRequests.addPhoto(to: sighting, by: owner, TestPhotos.tall)
            let photo = try #require(try added.text("id"), "\(String(buffer: added.body))")
            _ = try await owner.send(
                .patch, "/v1/me/photos/\(photo)", headers: [.ifMatch: "*"], json: #"{"altText":"behind the mill"}"#)
            let approved = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            #expect(approved.status == .ok)
            return photo
        }

        /// Positions are good for a day, and later the models have everything.
        func read(_ path: String, daysAhead: Int = 0) async throws -> TestResponse {
            try await Caller.anonymous(owner.served)
                .read(path, daysAhead: daysAhead, headers: daysAhead == 0 ? position : [:])
        }

        func gallery(daysAhead: Int = 0) async throws -> [JSONValue] {
            try await read("/v1/taxa/\(taxon)/gallery", daysAhead: daysAhead)["items"]?.items ?? []
        }

        /// The public id of the sighting.
        func publicID() async throws -> String {
            let path = "/v1/me/findings/\(id)"
            return try #require(try await owner.send(.get, path).text("publicId"))
        }
    }

    /// More days than a month has.
    private static let later = 40

    @Test(arguments: [#","geoprivacy":"private""#, ""])
    func `a photo of a guarded sighting is in the gallery of its taxon only, when the month of its approval is over`(
        _ wish: String
    ) async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene(served, wish.isEmpty ? "Spotted Owl" : "Pacific Wren", more: wish)
            #expect(try await scene.gallery().isEmpty)
            let publicID = try await scene.publicID()

            let gallery = try await scene.gallery(daysAhead: Self.later)
            #expect(gallery.count == 1)
            let shown = try #require(gallery.first)
            for member in ["sightingId", "credit", "altText", "width", "height"] {
                #expect(shown[member] == .null, "\(member)")
            }
            #expect(shown["taxonId"]?.string == scene.taxon && shown["licence"]?.string == "CC-BY-4.0")
            #expect(shown["publishedOn"]?.string?.hasSuffix("-01") == true)

            let photo = try #require(shown["id"]?.string)
            for path in ["", "/thumb"] {
                let file = "/v1/photos/\(photo)\(path)"
                #expect(try await scene.read(file).status == .notFound)
                #expect(try await scene.read(file, daysAhead: Self.later).status == .ok)
            }
            let alone = try await scene.read("/v1/photos/\(photo)", daysAhead: Self.later)
            #expect(try alone.json == shown)
            let sighting = try await scene.read("/v1/sightings/\(publicID)", daysAhead: Self.later)
            #expect(try sighting.status == .ok && sighting["photos"]?.items.isEmpty == true)
            let history = try await scene.read("/v1/sightings/\(publicID)/history", daysAhead: Self.later)
            for body in [sighting.body, history.body].map(String.init(buffer:)) {
                #expect(!body.contains(photo) && !body.contains(scene.photo))
            }
        }
    }

    @Test func `an observer's gallery has no photo of a guarded sighting`() async throws {
        try await ServedRoutes.run { served in
            var scene = try await Scene(served, "Spotted Owl")
            let open = try #require(try await scene.owner.submit().text("id"))
            _ = try await Scene.approvedPhoto(of: open, scene.owner)
            scene.position = try await served.publicPosition()
            let shown = try await scene.read("/v1/sightings/\(open)")
            let photo = try #require(try shown.text("photos.0.id"))
            let observer = try #require(try shown.text("observer.id"))
            for days in [0, Self.later] {
                let gallery = try await scene.read("/v1/observers/\(observer)/gallery", daysAhead: days)
                #expect(try gallery["items"]?.items.compactMap { $0["id"]?.string } == [photo])
                #expect(try gallery["items.0.altText"] == .string("behind the mill"))
                #expect(try gallery["items.0.height"]?.integer == 2400 && gallery.text("items.0.sightingId") == open)
            }
        }
    }

    @Test(arguments: ["private", "2", "1"])
    func `a restriction ends the URLs of a photo, which has others when the month is over, or none`(
        _ restriction: String
    ) async throws {
        try await ServedRoutes.run { served in
            var scene = try await Scene(served)
            let former = try #require(try await scene.gallery().first?["id"]?.string)
            #expect(try await scene.read("/v1/photos/\(former)/thumb").status == .ok)
            if restriction == "private" {
                _ = try await scene.owner.send(
                    .patch, "/v1/me/findings/\(scene.id)", headers: [.ifMatch: "*"], json: #"{"geoprivacy":"private"}"#)
            } else {
                try await served.categorise("Troglodytes pacificus", as: restriction)
            }
            scene.position = try await served.publicPosition()
            for days in [0, Self.later] {
                for path in ["", "/thumb"] {
                    let answer = try await scene.read("/v1/photos/\(former)\(path)", daysAhead: days)
                    #expect(answer.status == .notFound)
                }
            }
            #expect(try await scene.gallery().isEmpty)
            let ids = try await scene.gallery(daysAhead: Self.later).compactMap { $0["id"]?.string }
            guard restriction != "1" else { return #expect(ids.isEmpty) }
            let successor = try #require(ids.first)
            #expect(ids.count == 1 && successor != former)
            #expect(try await scene.read("/v1/photos/\(successor)/thumb").status == .notFound)
            let file = try await scene.read("/v1/photos/\(successor)/thumb", daysAhead: Self.later)
            #expect(file.status == .ok)
        }
    }

    @Test func `a correction changes the id of a guarded sighting, but not that of its photo`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene(served, "Spotted Owl")
            let before = try await scene.publicID()
            _ = try await scene.owner.send(
                .patch, "/v1/me/findings/\(scene.id)", headers: [.ifMatch: "*"],
                json: #"{"latitude":47.9,"longitude":-122.4}"#)
            _ = try await served.publicPosition()
            #expect(try await scene.publicID() != before)
            let rows = try await served.database.withConnection(served.database.owner) { owner in
                try await owner.query(
                    """
                    select count(distinct id) as ids, count(distinct record) as records
                      from \(identifier: ReadModel.sightingsPublic.schema).photos
                    """
                ).onlyRow()
            }
            #expect(try rows.decode("ids", as: Int.self) == 1 && rows.decode("records", as: Int.self) == 2)
        }
    }
}

extension ServedRoutes {
    /// The position of a read that reflects everything, once every model has it.
    fileprivate func publicPosition() async throws -> HTTPFields {
        try await followToHead()
        return try await Caller.anonymous(self).send(.get, "/v1/log").position
    }

    /// Gives a taxon a category, as the operator does.
    fileprivate func categorise(_ name: String, as category: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "sensitivity-\(UUID().uuidString).tsv")
        defer { try? FileManager.default.removeItem(at: file) }
        let rows = [["scientificName", "category", "reason", "source"], [name, category, "nests", "a list"]]
        try Data(rows.map { $0.joined(separator: "\t") + "\n" }.joined().utf8).write(to: file)
        _ = try await SensitivityImport(log: cases.imports).run(file.path)
    }
}
