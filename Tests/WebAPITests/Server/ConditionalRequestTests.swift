import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

struct ConditionalRequestTests {
    @Test func `an owner's representation is not sent twice, and never cached`() async throws {
        try await APIFixture().test { client in
            let first = try await client.execute(uri: "/v1/me/trial/1", method: .get, headers: .token("birder"))
            let tag = try #require(first.headers[.eTag])
            #expect(tag.hasPrefix("\"3."))
            #expect(first.headers[.cacheControl] == "private, no-store")
            var headers = HTTPFields.token("birder")
            headers[.ifNoneMatch] = tag
            let second = try await client.execute(uri: "/v1/me/trial/1", method: .get, headers: headers)
            #expect(second.status == .notModified)
            #expect(second.headers[.eTag] == tag)
            #expect(second.body.readableBytes == 0)
        }
    }

    @Test func `a public representation may be kept for less than five minutes`() async throws {
        try await APIFixture().test { client in
            let first = try await client.execute(uri: "/v1/trial/1", method: .get)
            #expect(first.headers[.cacheControl] == "public, max-age=270, must-revalidate")
            let tag = try #require(first.headers[.eTag])
            let second = try await client.execute(uri: "/v1/trial/1", method: .get, headers: [.ifNoneMatch: tag])
            #expect(second.status == .notModified)
            #expect(second.headers[.cacheControl] == first.headers[.cacheControl])
            let broken = try await client.execute(uri: "/v1/trial/1", method: .get, headers: [.ifNoneMatch: "x"])
            #expect(broken.status == .badRequest)
        }
    }

    @Test func `a change needs the version it was made on`() async throws {
        try await APIFixture().test { client in
            func patch(_ ifMatch: String?, type: String = "application/merge-patch+json") async throws -> TestResponse {
                var headers = HTTPFields.token("birder")
                headers[.contentType] = type
                headers[.ifMatch] = ifMatch
                return try await client.execute(
                    uri: "/v1/trial/1", method: .patch, headers: headers, body: ByteBuffer(string: "{\"notes\":null}"))
            }
            for (tag, status) in [
                (nil, HTTPResponse.Status.preconditionRequired), ("\"2.x\"", .preconditionFailed), ("\"3.x\"", .ok),
            ] {
                let response = try await patch(tag)
                #expect(response.status == status)
            }
            let wrongType = try await patch("\"3.x\"", type: "text/json")
            #expect(wrongType.status == .unsupportedMediaType)
            #expect(wrongType.headers[.acceptPatch] == "application/merge-patch+json, application/json")
        }
    }

    @Test func `the next page is linked with the filters of this one`() throws {
        let request = Request(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: "x", path: "/v1/me/findings?kind=bird&after=OLD&from=%3C<"),
            body: RequestBody(buffer: ByteBuffer()))
        var headers = HTTPFields()
        headers.link(next: "NEW", of: request)
        #expect(headers[.link] == "</v1/me/findings?kind=bird&from=%3C%3C&after=NEW>; rel=\"next\"")
        headers = [:]
        headers.link(next: nil, of: request)
        #expect(headers[.link] == nil)
    }
}
