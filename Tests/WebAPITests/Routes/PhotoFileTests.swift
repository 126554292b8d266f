import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import WebAPI

/// The files of photos: a JPEG, or a WebP for clients that prefer it.
extension RouteTests {
    /// The paths of a rendition of an approved photo, for anyone, its owner and moderators.
    private struct Rendition {
        let owner: Caller
        let moderator: Caller
        let anyone: Caller
        let photo: String
        let path: String

        init(_ served: ServedRoutes) async throws {
            owner = try await Caller.register(served)
            moderator = try await Caller.register(served, role: .moderator)
            anyone = Caller.anonymous(served)
            let sighting = try #require(try await owner.submit().text("id"))
            photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
            let approved = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            let shown = try await anyone.send(.get, "/v1/sightings/\(sighting)", headers: try approved.position)
            path = "/v1/photos/\(try #require(try shown.text("photos.0.id")))/thumb"
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

    @Test func `the WebP of a hidden photo is not found either, and is back with it`() async throws {
        let rendition = try await Rendition(try ServedRoutes.required)
        #expect(try await rendition.get(Self.webP).headers[.contentType] == Self.webP)
        let path = "/v1/moderation/photos/\(rendition.photo)/hidden"
        for (method, body, status) in [
            (HTTPRequest.Method.put, #"{"reason":"other"}"#, HTTPResponse.Status.notFound), (.delete, nil, .ok),
        ] {
            let changed = try await rendition.moderator.send(method, path, headers: [.ifMatch: "*"], json: body)
            #expect(try await rendition.get(Self.webP, try changed.position).status == status)
        }
    }
}
