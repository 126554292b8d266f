import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import Testing
import Vault

@testable import WebAPI

/// The photos that an account may send in a day, and those that look like earlier ones.
struct PhotoQuotaTests {
    private static let size = TestPhotos.jpeg.readableBytes

    @Test(arguments: [PhotoQuotas.Limits(photos: 2), PhotoQuotas.Limits(bytes: 2 * size)])
    func `an account sends so many photos a day, and so many bytes`(_ quota: PhotoQuotas.Limits) async throws {
        try await ServedRoutes.run(photos: try TestPhotos.settings(quota)) { served in
            try await ServedRoutes.$now.withValue(Self.noon) { try await useUp(served) }
        }
    }

    /// From which no test gets to the next day.
    private static let noon = Instant(startOf: Instant.now.date()).adding(seconds: 43_200)

    private func useUp(_ served: ServedRoutes) async throws {
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let key = UUID()
        for key in [key, UUID()] {
            #expect(try await SampleRequests.addPhoto(to: sighting, by: owner, key: key).status == .created)
        }
        let third = try await SampleRequests.addPhoto(to: sighting, by: owner)
        #expect(try third.status == .tooManyRequests && third.problem == "photo-quota")
        #expect(third.headers[.retryAfter] == "43200", "until the next day")
        let retry = try await SampleRequests.addPhoto(to: sighting, by: owner, key: key)
        #expect(retry.status == .created, "it is there already")

        let other = try await Caller.register(served)
        let others = try #require(try await other.submit().text("id"))
        #expect(try await SampleRequests.addPhoto(to: others, by: other).status == .created)
        let tomorrow = try await ServedRoutes.$now.withValue(Self.noon.adding(seconds: 86_400)) {
            try await SampleRequests.addPhoto(to: sighting, by: owner)
        }
        #expect(tomorrow.status == .created)
    }

    @Test func `moderators see which earlier photos are alike, also in a mirror, and others do not`() async throws {
        try await ServedRoutes.run { served in
            let moderator = try await Caller.register(served, role: .moderator)
            var photos: [String] = []
            var answers: [String] = []
            for image in [TestPhotos.jpeg, TestPhotos.tall, TestPhotos.jpeg, TestPhotos.mirrored] {
                let owner = try await Caller.register(served)
                let sighting = try #require(try await owner.submit().text("id"))
                let added = try await SampleRequests.addPhoto(to: sighting, by: owner, image)
                photos.append(try #require(try added.text("id")))
                answers.append(String(buffer: added.body))
                try await served.followToHead()
            }
            let queue = try await moderator.send(.get, "/v1/moderation/queue?subject=photo")
            let alike = try queue["items"]?.items.map { $0["resembles"]?.items.compactMap(\.string) }
            #expect(alike == [[], [], [photos[0]], [photos[2], photos[0]]], "the first and the third are the same")
            #expect(!answers.dropFirst().contains { $0.contains(photos[0]) })
        }
    }
}
