import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSON
import Logging
import NIOCore
import Testing

@testable import Web

struct RequestHandlingTests {
    @Test func `a good request is answered, with the headers that all answers have`() async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: .token("birder"),
                body: ByteBuffer(string: #"{"confidence":8}"#))
            #expect(response.status == .created)
            #expect(try response.json["confidence"] == .integer(8))
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(response.headers[.cacheControl] == "private, no-store")
            #expect(response.headers[.framing]?.contains("frame-ancestors 'none'") == true)
            #expect(response.headers[.requestID]?.isEmpty == false)
        }
    }

    @Test(arguments: [("/healthz", 200), ("/v1/none", 404), ("/v1/trial", 405)])
    func `HEAD gets the headers of GET and no body, also for a problem`(path: String, status: Int) async throws {
        try await APIFixture().test { client in
            let whole = try await client.execute(uri: path, method: .get)
            let head = try await client.execute(uri: path, method: .head)
            #expect(head.status.code == status && whole.body.readableBytes > 0 && head.body.readableBytes == 0)
            #expect(Int(head.headers[.contentLength] ?? "").map { $0 > 0 } == true)
        }
    }

    @Test func `faults of a body are all listed, with the id of the request`() async throws {
        try await APIFixture().test { client in
            var headers = HTTPFields.token("birder")
            headers[.requestID] = "phone-1.2_3"
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: headers,
                body: ByteBuffer(string: #"{"confidence":11,"notes":"\u0000","x":1}"#))
            #expect(response.status == .unprocessableContent)
            #expect(try response.problem == "validation-failed")
            let body = try response.json
            #expect(body["instance"] == .string("phone-1.2_3"))
            #expect(body["status"] == .integer(422))
            #expect(body["errors"]?[0]?["pointer"] == .string("/confidence"))
            #expect(body["errors"]?[0]?["code"] == .string("range"))
            #expect(body["errors"]?[1]?["pointer"] == .string("/notes"))
            #expect(body["errors"]?[2]?["code"] == .string("unexpected"))
            #expect(response.headers[.requestID] == "phone-1.2_3")
        }
    }

    @Test func `request ids are random: they do not count the requests of others`() async throws {
        try await APIFixture().test { client in
            var ids: [String] = []
            for _ in 0..<50 {
                let response = try await client.execute(uri: "/v1/trial/1", method: .get)
                ids.append(try #require(response.headers[.requestID]))
            }
            #expect(Set(ids).count == 50 && ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
            #expect(ids != ids.sorted() && Set(ids.map { $0.prefix(8) }).count == 50, "no part of it is a counter")
        }
    }

    @Test(arguments: ["a b", "a\u{22}b", "é", String(repeating: "a", count: 65)])
    func `a request id that could forge a line of the log is replaced`(id: String) async throws {
        try await APIFixture().test { client in
            var headers = HTTPFields()
            headers[.requestID] = id
            let response = try await client.execute(uri: "/healthz", method: .get, headers: headers)
            #expect(response.headers[.requestID] != id)
        }
    }

    @Test(arguments: [
        (#"{"confidence":8"#, ""), (#"{"confidence":08}"#, "/confidence"), (#"{"a":1,"a":2}"#, "/a"), ("", ""),
        (#"{"notes":"\ud800"}"#, "/notes"), ("\u{FEFF}{}", ""),
    ])
    func `bytes that are not JSON are 400 with the place`(body: String, pointer: String) async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: .token("birder"), body: ByteBuffer(string: body))
            #expect(response.status == .badRequest)
            #expect(try response.problem == "malformed-json")
            #expect(try response.json["errors"]?[0]?["pointer"] == .string(pointer))
        }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1",
        "application/merge-patch+json", "",
    ])
    func `only JSON is taken`(type: String) async throws {
        try await APIFixture().test { client in
            var headers = HTTPFields.token("birder")
            headers[.contentType] = type.isEmpty ? nil : type
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: headers, body: ByteBuffer(string: "{}"))
            #expect(response.status == .unsupportedMediaType)
            #expect(response.headers[.accept] == "application/json")
        }
    }

    @Test(arguments: [
        "application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
    ])
    func `JSON by any of its names is taken`(type: String) {
        #expect(Request.isJSON(type, ["application/json"]))
    }

    @Test func `a body over 64 KiB is rejected, announced or not`() async throws {
        try await APIFixture().test { client in
            let padding = String(repeating: " ", count: 64 * 1024)
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: .token("birder"), body: ByteBuffer(string: padding + "{}"))
            #expect(response.status == .contentTooLarge)
            #expect(try response.problem == "content-too-large")
        }
    }

    @Test func `an unknown path is 404, whatever the token`() async throws {
        try await APIFixture().test { client in
            for path in ["/", "/v1", "/v1/nothing", "/v1/trial/1/2"] {
                let response = try await client.execute(uri: path, method: .get)
                #expect(response.status == .notFound, "\(path)")
                #expect(try response.problem == "not-found")
            }
        }
    }

    @Test(arguments: [
        ("/v1/trial", HTTPRequest.Method.get, "POST"), ("/v1/trial/7", .post, "GET, HEAD, PATCH"),
        ("/healthz", .delete, "GET, HEAD"), ("/v1/trial", .trace, "POST"),
        ("/v1/me/trial/1", .options, "GET, HEAD"),
    ])
    func `a wrong method is 405 and says which are right`(path: String, method: HTTPRequest.Method, allow: String)
        async throws
    {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: path, method: method)
            #expect(response.status == .methodNotAllowed)
            #expect(response.headers[.allow] == allow)
            #expect(try response.problem == "method-not-allowed")
        }
    }

    @Test func `a method that nobody knows is 501`() async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: "/v1/trial", method: try #require(.init("MKCOL")))
            #expect(response.status == .notImplemented)
        }
    }

    @Test func `HEAD is GET without the body`() async throws {
        try await APIFixture().test { client in
            let get = try await client.execute(uri: "/v1/trial/7", method: .get)
            let head = try await client.execute(uri: "/v1/trial/7", method: .head)
            #expect(head.status == .ok)
            #expect(head.headers[.eTag] == get.headers[.eTag])
            #expect(head.headers[.contentLength] == get.headers[.contentLength])
            #expect(head.body.readableBytes == 0)
        }
    }

    @Test func `an error that nobody foresaw tells the client nothing and the log everything`() async throws {
        let fixture = APIFixture()
        try await fixture.test { client in
            let response = try await client.execute(uri: "/v1/broken", method: .get)
            #expect(response.status == .internalServerError)
            #expect(!String(buffer: response.body).contains("the-secret-reason"))
            let id = try #require(response.headers[.requestID])
            let line = try #require(fixture.log.all.first { $0.level == .error })
            #expect(line.metadata["error"] == "the-secret-reason")
            #expect(line.metadata["hb.request.id"] == id)
        }
    }

    @Test func `a problem that a route does not list fails its tests`() async throws {
        struct Forgetful: RouteGroup {
            var routes: [Route] {
                [Route(.get, "/v1/forgetful/{id}", .anyone) { _, _ in throw ProblemDetails(.gone) }]
            }
        }
        await withKnownIssue {
            try await APIFixture().test([Forgetful()]) { client in
                let response = try await client.execute(uri: "/v1/forgetful/1", method: .get)
                #expect(response.status == .gone)
            }
        }
    }

    @Test func `what Hummingbird's own errors say does not get out`() async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: "/v1/rejected", method: .get)
            #expect(response.status == .badRequest)
            #expect(!String(buffer: response.body).contains("secret"))
        }
    }

    @Test(arguments: ProblemType.allCases)
    func `the type of every problem leads to its entry`(type: ProblemType) async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: type.uri, method: .get)
            #expect(response.status == .ok)
            #expect(String(buffer: response.body).contains(type.title))
            let unknown = try await client.execute(uri: "/problems/nothing", method: .get)
            #expect(unknown.status == .notFound)
        }
    }
}
