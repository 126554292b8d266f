import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import WebAPI

/// A copy of a photo finds it, however soon it is sent.
@Suite(.hangs) struct PhotoCopyTests {
    private let model = ReadModel.photos.name

    /// The photos that another one was found to be alike to.
    private func resembled(by photo: TestResponse, _ served: ServedRoutes) async throws -> [PhotoID] {
        let id = try #require(try photo.text("id").flatMap(PhotoID.init))
        let stored: Stored<PhotoState>? = try await served.cases.ground.store.load(id.uuid)
        return try #require(stored?.state.upload).resembles
    }

    /// Lets the read model fold nothing meanwhile.
    private func withoutFolding(
        _ served: ServedRoutes, _ body: (_ goOn: () async throws -> Void) async throws -> Void
    ) async throws {
        try await served.followToHead()
        try await served.database.withConnection(served.database.owner) { owner in
            _ = try await owner.query("begin")
            _ = try await owner.query("select from model.checkpoints where name = \(model) for update")
            try await body { _ = try await owner.query("rollback") }
        }
    }

    private func submitted(_ number: Int, by caller: Caller) async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<number { ids.append(try #require(try await caller.submit().text("id"))) }
        return ids
    }

    @Test func `a copy finds a photo that the read model does not have yet`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let sightings = try await submitted(3, by: owner)
            let picture = try await SampleRequests.addPhoto(to: sightings[0], by: owner)
            let id = try #require(try picture.text("id"))
            try await withoutFolding(served) { goOn in
                let newest = try await served.appendCopies(
                    of: id, 1, "jsonb_build_object('sighting', \(sightings[1])::text)")
                async let copy = SampleRequests.addPhoto(to: sightings[2], by: owner, TestPhotos.mirrored)
                try await until("the copy does not wait") { served.cases.ground.log.progress.isAwaited(model) }
                try await goOn()
                let found = try await resembled(by: copy, served).map(\.uuid.uuidString)
                #expect(Set(found) == Set(newest.map(\.uuidString) + [id.uppercased()]))
            }
        }
    }

    @Test func `while the read model is behind a photo is 503 and counts as nothing`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let sightings = try await submitted(1, by: owner)
            try await withoutFolding(served) { goOn in
                _ = try await owner.submit()
                // Once: a caller would try again.
                let answer = try await SampleRequests.sendPhoto(to: sightings[0], by: owner)
                #expect(try answer.status == .serviceUnavailable && answer.problem == "model-behind")
                #expect(answer.headers[.retryAfter] == "1")
                let used = try await served.cases.ground.pool.query(
                    "select photos::bigint as photos from vault.photo_quotas")
                #expect(try used.rows.map { try $0.decode("photos", as: Int64.self) } == [0])
                try await goOn()
            }
        }
    }

    @Test func `copies that an account sends at the same moment find each other`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let sightings = try await submitted(3, by: owner)
            try await served.followToHead()
            let pictures = [TestPhotos.jpeg, TestPhotos.mirrored, TestPhotos.another()]
            let found = try await withThrowingTaskGroup(of: Int.self) { group in
                for (sighting, picture) in zip(sightings, pictures) {
                    group.addTask {
                        let added = try await SampleRequests.addPhoto(to: sighting, by: owner, picture)
                        return try await resembled(by: added, served).count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found.sorted() == [0, 1, 2])
        }
    }
}
