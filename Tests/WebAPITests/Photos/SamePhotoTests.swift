import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import TestSupport
import Testing
import Vault

@testable import Web

/// An account that sends photos of one sighting.
private struct Sender {
    let owner: Caller
    let sighting: String

    init(_ served: ServedRoutes) async throws {
        owner = try await Caller.register(served)
        try await owner.verifyAddress()
        sighting = try #require(try await owner.submit().text("id"))
    }

    func send(_ photo: ByteBuffer, key: UUID = UUID(), more: HTTPFields = [:]) async throws -> TestResponse {
        var more = more
        more[.contentLength] = "\(photo.readableBytes)"
        return try await SampleRequests.addPhoto(to: sighting, by: owner, key: key, photo, more: more)
    }

    /// Sends a photo in two parts.
    func sendInParts(_ photo: ByteBuffer, isAnnounced: Bool = true) async throws -> TestResponse {
        var fields: HTTPFields = [.uploadComplete: "?0"]
        if isAnnounced { fields[.uploadLength] = "\(photo.readableBytes)" }
        let begun = try await SampleRequests.addPhoto(
            to: sighting, by: owner, photo.getSlice(at: 0, length: 9) ?? photo, more: fields)
        guard let upload = begun.headers[.location] else { return begun }
        return try await SampleRequests.resume(
            upload, photo.getSlice(at: 9, length: photo.readableBytes - 9), by: owner,
            headers: [.uploadOffset: "9", .uploadComplete: "?1"])
    }

    var photos: [String?] {
        get async throws {
            let finding = try await owner.send(.get, "/v1/me/findings/\(sighting)")
            return try finding["photos"]?.items.map { $0["id"]?.string } ?? []
        }
    }
}

/// Photos whose bytes the sighting has already: of an app that sends everything again, say.
extension RouteTests {
    @Test func `the same bytes are the same photo, until it is deleted`() async throws {
        let sender = try await Sender(try ServedRoutes.required)
        let photo = TestPhotos.another()
        let first = try await sender.send(photo)
        let id = try #require(try first.text("id"))
        #expect(first.status == .created)
        for again in [try await sender.send(photo), try await sender.sendInParts(photo)] {
            #expect(try again.status == .ok && again.text("id") == id)
            #expect(again.headers[.location] == "/v1/me/photos/\(id)" && again.headers[.eTag] == first.headers[.eTag])
            #expect(try again.json == first.json)
        }
        #expect(try await sender.send(TestPhotos.another()).status == .created)
        #expect(try await sender.photos.count == 2)
        let elsewhere = try await Sender(try ServedRoutes.required)
        #expect(try await elsewhere.send(photo).status == .created, "with another sighting it is another photo")

        let deleted = try await sender.owner.send(.delete, "/v1/me/photos/\(id)", headers: [.ifMatch: "*"])
        #expect(deleted.status == .noContent)
        let back = try await sender.sendInParts(photo)
        #expect(try back.status == .created && back.text("id") != id)
        #expect(try await sender.send(photo).text("id") == back.text("id"))
    }

    @Test func `of the same photo sent eight times at once one is added`() async throws {
        let sender = try await Sender(try ServedRoutes.required)
        let photo = TestPhotos.another()
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for number in 0..<8 {
                group.addTask {
                    number % 4 == 0 ? try await sender.sendInParts(photo) : try await sender.send(photo)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0.status == .created }.count == 1)
        #expect(answers.filter { $0.status == .ok }.count == 7, "\(answers.map(\.status))")
        #expect(Set(try answers.map { try $0.text("id") }).count == 1)
        #expect(try await sender.photos.count == 1)
    }

    @Test func `retries with one key that come at once all are the first`() async throws {
        let sender = try await Sender(try ServedRoutes.required)
        let (photo, key) = (TestPhotos.another(), UUID())
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<6 { group.addTask { try await sender.send(photo, key: key) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == .created }, "\(answers.map(\.status))")
        #expect(try await sender.photos.count == 1)
    }

    @Test func `a photo that is there needs no place`() async throws {
        let sender = try await Sender(try ServedRoutes.required)
        let photo = TestPhotos.another()
        #expect(try await sender.send(photo).status == .created)
        for _ in 0..<9 { #expect(try await sender.send(TestPhotos.another()).status == .created) }
        #expect(try await sender.send(photo).status == .ok)
        #expect(try await sender.sendInParts(photo).status == .ok)
        // As long as one that is there, so its bytes are read.
        #expect(try await sender.send(TestPhotos.another()).problem == "too-many-photos")
        #expect(try await sender.sendInParts(TestPhotos.another()).problem == "too-many-photos")
        #expect(try await sender.photos.count == 10)
    }
}

@Suite(.hangs) struct SamePhotoQuotaTests {
    @Test(arguments: [nil, true, false])
    func `a photo that is there counts towards no quota`(isAnnounced: Bool?) async throws {
        let size = TestPhotos.another().readableBytes
        let quota = PhotoQuotas.Limits(photos: 3, bytes: isAnnounced == false ? 25_000_000 + size : 3 * size)
        try await ServedRoutes.run(photos: try TestPhotos.settings(quota)) { served in
            // From which no test gets to the next day.
            let noon = Instant(startOf: Instant.now.date()).adding(seconds: 43_200)
            try await ServedRoutes.$now.withValue(noon) {
                let sender = try await Sender(served)
                let photo = TestPhotos.another()
                #expect(try await sender.send(photo).status == .created)
                for _ in 0..<5 {
                    let answer =
                        if let isAnnounced {
                            try await sender.sendInParts(photo, isAnnounced: isAnnounced)
                        } else {
                            try await sender.send(photo)
                        }
                    #expect(answer.status == .ok, "\(String(buffer: answer.body))")
                }
                for _ in 0..<2 { #expect(try await sender.send(TestPhotos.another()).status == .created) }
                #expect(try await sender.send(TestPhotos.another()).problem == "photo-quota")
            }
        }
    }
}

/// Photos by whatever name clients call them.
extension RouteTests {
    private static let photoTypes: [String?] = [
        "image/heif", "image/jpg", "image/pjpeg", "IMAGE/JPEG; q=1", "image/gif", "application/octet-stream",
        "application/x-www-form-urlencoded", "nonsense", "", nil,
    ]

    @Test(arguments: photoTypes)
    func `the content of a photo decides, not its declared type`(_ type: String?) async throws {
        let owner = try await Caller.register(try ServedRoutes.required)
        let sighting = try #require(try await owner.submit().text("id"))
        let added = try await SampleRequests.addPhoto(to: sighting, by: owner, TestPhotos.another(), type: type)
        #expect(added.status == .created, "\(String(buffer: added.body))")
        let path = try #require(added.headers[.location])
        #expect(try await owner.send(.get, path + "/original").headers[.contentType] == "image/jpeg")

        let upload = try await SampleRequests.addPhoto(
            to: sighting, by: owner, TestPhotos.another(), type: type, more: [.uploadComplete: "?1"])
        #expect(upload.status == .created, "\(String(buffer: upload.body))")
        for more: HTTPFields in [[:], [.uploadComplete: "?1"]] {
            let gif = try await SampleRequests.addPhoto(
                to: sighting, by: owner, ByteBuffer(string: "GIF89a, and more"), type: type, more: more)
            #expect(try gif.status == .unsupportedMediaType && gif.problem == "unsupported-media-type")
            #expect(gif.headers[.accept] == "image/jpeg, image/png, image/webp, image/heic")
        }
        let encoded = try await SampleRequests.addPhoto(
            to: sighting, by: owner, TestPhotos.another(), type: type, more: [.contentEncoding: "gzip"])
        #expect(encoded.status == .unsupportedMediaType)
    }
}
