import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import NIOCore
import PhotoStore
import Testing

@testable import Service
@testable import Web

/// The files of photos: a JPEG, or a WebP for clients that prefer it.
extension RouteTests {
    /// The paths of a rendition of an approved photo, for anyone, its owner and moderators.
    private struct Rendition {
        let owner: Caller
        let moderator: Caller
        let anyone: Caller
        let sighting: String
        let photo: String
        let publicID: String
        var path: String { "/v1/photos/\(publicID)/thumb" }

        init(_ served: ServedRoutes) async throws {
            owner = try await Caller.register(served)
            moderator = try await Caller.register(served, role: .moderator)
            anyone = Caller.anonymous(served)
            sighting = try #require(try await owner.submit().text("id"))
            photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
            let approved = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            let shown = try await anyone.send(.get, "/v1/sightings/\(sighting)", headers: try approved.position)
            publicID = try #require(try shown.text("photos.0.id"))
        }

        func get(_ accept: String?, _ headers: HTTPFields = [:]) async throws -> TestResponse {
            var headers = headers
            headers[.accept] = accept
            return try await anyone.send(.get, path, headers: headers)
        }
    }

    private static let webP = "image/webp"

    private static let accepts: [(String?, String)] = [
        (nil, "jpeg"), ("*/*", "jpeg"), ("image/*", "jpeg"), ("image/webp", "webp"), ("text/html", "jpeg"),
        ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "webp"), ("IMAGE/WEBP;q=0.1", "webp"),
        ("image/webp;q=0.5, image/jpeg", "jpeg"), ("image/webp;q=0.5, image/*;q=0.6", "jpeg"),
        ("image/webp;q=0.5, */*", "jpeg"), ("image/webp;q=0, */*;q=0.1", "jpeg"),
        ("image/webp;q=0.5, image/jpeg;q=0.5, */*", "webp"),
    ]

    @Test(arguments: accepts)
    func `a rendition is a WebP for clients that prefer it`(_ accept: String?, _ type: String) async throws {
        let rendition = try await Rendition(try ServedRoutes.required)
        let answer = try await rendition.get(accept)
        #expect(answer.status == .ok && answer.headers[.contentType] == "image/\(type)")
        #expect(answer.headers[.vary] == "Accept, Accept-Encoding")
        #expect(answer.headers[.cacheControl] == "public, max-age=270, must-revalidate")
        let magic = answer.body.getSlice(at: 0, length: 4).map(String.init(buffer:))
        #expect((magic == "RIFF") == (type == "webp"))
        #expect(answer.headers[.contentLength] == "\(answer.body.readableBytes)")
    }

    @Test func `owners and moderators get WebPs too, of renditions`() async throws {
        let rendition = try await Rendition(try ServedRoutes.required)
        for (caller, folder) in [(rendition.owner, "me"), (rendition.moderator, "moderation")] {
            let path = "/v1/\(folder)/photos/\(rendition.photo)"
            let thumb = try await caller.send(.get, path + "/thumb", headers: [.accept: Self.webP])
            #expect(thumb.headers[.contentType] == Self.webP && thumb.headers[.vary]?.contains("Accept") == true)
            #expect(thumb.headers[.cacheControl] == "private, no-store")
            let original = try await caller.send(.get, path + "/original", headers: [.accept: Self.webP])
            #expect(original.headers[.contentType] == "image/jpeg" && original.body == TestPhotos.jpeg)
        }
    }

    @Test(arguments: [nil, webP])
    func `public files have strong tags, conditions and ranges`(_ accept: String?) async throws {
        let rendition = try await Rendition(try ServedRoutes.required)
        let whole = try await rendition.get(accept)
        let other = try await rendition.get(accept == nil ? Self.webP : nil)
        let (tag, size) = (try #require(whole.headers[.eTag]), whole.body.readableBytes)
        #expect(tag.hasPrefix("\"") && tag != other.headers[.eTag])

        let known = try await rendition.get(accept, [.ifNoneMatch: tag])
        #expect(known.status == .notModified && known.headers[.eTag] == tag && known.body.readableBytes == 0)
        #expect(known.headers[.vary] == "Accept, Accept-Encoding")
        let unknown = try await rendition.get(accept, [.ifNoneMatch: try #require(other.headers[.eTag])])
        #expect(unknown.status == .ok && unknown.body == whole.body)

        let part = try await rendition.get(accept, [.range: "bytes=2-5", .ifRange: tag])
        #expect(part.status == .partialContent && part.body == whole.body.getSlice(at: 2, length: 4))
        #expect(part.headers[.contentRange] == "bytes 2-5/\(size)" && part.headers[.eTag] == tag)
        #expect(part.headers[.contentType] == whole.headers[.contentType])
        #expect(part.headers[.vary] == "Accept, Accept-Encoding")
        let mixed = try await rendition.get(
            accept, [.range: "bytes=2-5", .ifRange: try #require(other.headers[.eTag])])
        #expect(mixed.status == .ok && mixed.body == whole.body, "parts of both would be mixed")
        let beyond = try await rendition.get(accept, [.range: "bytes=\(size)-"])
        #expect(beyond.status == .rangeNotSatisfiable && beyond.headers[.contentRange] == "bytes */\(size)")
    }

    @Test(arguments: [nil, webP])
    func `the file of a hidden photo is not found at once, and is back with it`(_ accept: String?) async throws {
        let rendition = try await Rendition(try ServedRoutes.required)
        #expect(try await rendition.get(accept).status == .ok)
        let path = "/v1/moderation/photos/\(rendition.photo)/hidden"
        for (method, body, status) in [
            (HTTPRequest.Method.put, #"{"reason":"other"}"#, HTTPResponse.Status.notFound), (.delete, nil, .ok),
        ] {
            let changed = try await rendition.moderator.send(method, path, headers: [.ifMatch: "*"], json: body)
            #expect(try await rendition.get(accept, try changed.position).status == status)
        }
        let withdrawn = try await rendition.owner.send(
            .delete, "/v1/me/findings/\(rendition.sighting)", headers: [.ifMatch: "*"])
        #expect(try await rendition.get(accept, try withdrawn.position).status == .notFound)
    }

    @Test func `bytes in memory are few, and are dropped every second`() async throws {
        try await ServedRoutes.run { served in
            let rendition = try await Rendition(served)
            let id = try #require(PhotoID(rendition.publicID))
            let store = served.cases.photos.service.photos
            let second = NIOLockedValueBox<Int64>(7)
            let files = PublicPhotoFiles(served.cases.records.reads, store, served.cases.photos.caches.guarded) {
                second.withLockedValue { $0 }
            }
            let thumb = try await files.file(.thumb, of: id, Asked())
            #expect(try await files.content(of: thumb)?.readableBytes == thumb.size && files.size >= thumb.size)
            try await store.remove(thumb.digest, putBefore: .distantFuture)
            #expect(try await files.content(of: thumb)?.readableBytes == thumb.size)
            second.withLockedValue { $0 += 1 }
            await #expect(throws: CommandError.self) { try await files.content(of: thumb) }
            #expect(files.size == 0)
        }
    }

    @Test func `no more bytes are in memory than there is room for`() async throws {
        try await ServedRoutes.run { served in
            let rendition = try await Rendition(served)
            let id = try #require(PhotoID(rendition.publicID))
            for room in [0, 1 << 10, 2 << 10] {
                let files = PublicPhotoFiles(
                    served.cases.records.reads, served.cases.photos.service.photos, served.cases.photos.caches.guarded,
                    most: room
                ) { 1 }
                for name in RenditionName.allCases {
                    let file = try await files.file(name, of: id, Asked())
                    #expect(try await files.content(of: file)?.readableBytes == file.size)
                    #expect(files.size <= room)
                }
            }
        }
    }
}
