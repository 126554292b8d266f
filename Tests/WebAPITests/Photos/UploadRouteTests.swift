import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

extension RouteTests {
    private static let all = TestPhotos.jpeg.readableBytes

    private func bytes(_ range: Range<Int>) -> ByteBuffer {
        TestPhotos.jpeg.getSlice(at: range.lowerBound, length: range.count) ?? ByteBuffer()
    }

    /// Begins an upload with a few bytes.
    private func begin(
        _ owner: Caller, to sighting: String, count: Int, complete: String = "?0", more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.uploadComplete: complete]
        for field in more { headers[field.name] = field.value }
        return try await SampleRequests.addPhoto(to: sighting, by: owner, bytes(0..<count), more: headers)
    }

    private func resume(
        _ path: String, _ range: Range<Int>, by owner: Caller, complete: String = "?0", more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.uploadOffset: "\(range.lowerBound)", .uploadComplete: complete]
        for field in more { headers[field.name] = field.value }
        return try await SampleRequests.resume(path, bytes(range), by: owner, headers: headers)
    }

    @Test(arguments: [0, 1, 100, RouteTests.all - 1, RouteTests.all])
    func `an upload cut anywhere goes on there`(cut: Int) async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let begun = try await begin(owner, to: sighting, count: cut)
        #expect(begun.status == .created && begun.headers[.uploadComplete] == "?0")
        let path = try #require(begun.headers[.location])
        let state = try await owner.send(.head, path)
        #expect(state.status == .noContent && state.headers[.uploadOffset] == "\(cut)")
        #expect(state.headers[.cacheControl]?.contains("no-store") == true)
        #expect(state.headers[.uploadLimit] == "max-size=25000000, max-age=86400")
        let middle = min(cut + 7, Self.all)
        let more = try await resume(path, cut..<middle, by: owner)
        #expect(more.status == .noContent && more.headers[.uploadOffset] == "\(middle)")
        let last = try await resume(path, middle..<Self.all, by: owner, complete: "?1")
        #expect(last.status == .created && last.headers[.uploadComplete] == "?1")
        let photo = try #require(try last.text("id"))
        #expect(last.headers[.location] == "/v1/me/photos/\(photo)")
        let original = try await owner.send(.get, "/v1/me/photos/\(photo)/original")
        #expect(original.body == TestPhotos.jpeg)

        let done = try await owner.send(.head, path)
        #expect(done.headers[.uploadComplete] == "?1" && done.headers[.uploadOffset] == "\(Self.all)")
        let again = try await resume(path, Self.all..<Self.all, by: owner, complete: "?1")
        #expect(try again.problem == "completed-upload")
    }

    @Test(arguments: [("8", "8"), ("7", nil), ("8, 8", nil), ("x", nil)])
    func `only the interop version that the service speaks is returned`(sent: String, expected: String?) async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let begun = try await begin(owner, to: sighting, count: 1, more: [.uploadDraftVersion: sent])
        #expect(begun.status == .created && begun.headers[.uploadDraftVersion] == expected)
        let path = try #require(begun.headers[.location])
        let state = try await owner.send(.head, path, headers: [.uploadDraftVersion: sent])
        #expect(state.headers[.uploadDraftVersion] == expected)
    }

    @Test func `a whole photo with Upload-Complete is added at once`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let added = try await begin(owner, to: sighting, count: Self.all, complete: "?1")
        #expect(added.status == .created && added.headers[.uploadComplete] == "?1")
        #expect(try added.text("sightingId") == sighting)
    }

    @Test func `another offset, length or type is a problem, and changes nothing`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let begun = try await begin(owner, to: sighting, count: 50, more: [.uploadLength: "\(Self.all)"])
        let path = try #require(begun.headers[.location])
        #expect(begun.headers[.uploadLength] == "\(Self.all)")
        for offset in [0, 49, 51] {
            let answer = try await resume(path, offset..<60, by: owner)
            #expect(try answer.status == .conflict && answer.problem == "mismatching-upload-offset")
            #expect(answer.headers[.uploadOffset] == "50")
        }
        let other = try await resume(path, 50..<60, by: owner, more: [.uploadLength: "61"])
        #expect(try other.problem == "inconsistent-upload-length")
        let short = try await resume(path, 50..<60, by: owner, complete: "?1")
        #expect(try short.problem == "inconsistent-upload-length")
        for (name, value) in [
            (HTTPField.Name.uploadComplete, "1"), (.uploadOffset, "-1"), (.uploadOffset, "1e3"),
            (.uploadOffset, "99999999999999999999"),
        ] {
            #expect(try await resume(path, 50..<60, by: owner, more: [name: value]).problem == "invalid-header")
        }
        let type = try await resume(path, 50..<60, by: owner, more: [.contentType: "image/jpeg"])
        #expect(type.status == .unsupportedMediaType && type.headers[.acceptPatch] == "application/partial-upload")
        #expect(try await owner.send(.head, path).headers[.uploadOffset] == "50")
        let large = try await begin(owner, to: sighting, count: 1, more: [.uploadLength: "25000001"])
        #expect(try large.problem == "invalid-header")
    }

    @Test func `an upload is its account's, for its sighting, until it is ended`() async throws {
        let served = try ServedRoutes.required
        let (owner, other) = (try await Caller.register(served), try await Caller.register(served))
        let sighting = try #require(try await owner.submit().text("id"))
        #expect(try await begin(other, to: sighting, count: 1).status == .notFound)
        let path = try #require(try await begin(owner, to: sighting, count: 1).headers[.location])
        #expect(try await other.send(.head, path).status == .notFound)
        #expect(try await resume(path, 1..<2, by: other).status == .notFound)
        #expect(try await other.send(.delete, path).status == .notFound)
        #expect(try await owner.send(.delete, path).status == .noContent)
        #expect(try await owner.send(.head, path).status == .notFound)
    }

    @Test func `an upload that is no photo ends`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let path = try #require(try await begin(owner, to: sighting, count: 250).headers[.location])
        let broken = try await resume(path, 250..<250, by: owner, complete: "?1")
        #expect(try broken.problem == "unreadable-photo")
        #expect(try await owner.send(.head, path).status == .notFound)
    }

    @Test(arguments: [(false, 3), (true, 20)])
    func `uploads that are unfinished are few, and fewer until the address is verified`(
        isVerified: Bool, most: Int
    ) async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        if isVerified { try await owner.verifyAddress() }
        let sighting = try #require(try await owner.submit().text("id"))
        let begun = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<23 { group.addTask { try await begin(owner, to: sighting, count: 1).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(begun.filter { $0 == .created }.count == most)
        #expect(try await begin(owner, to: sighting, count: 1).problem == "too-many-uploads")
    }
}
