import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSON
import Service
import Testing

@testable import Web

struct CrossOriginTests {
    private static let page = "https://app.example.org"

    private func fixture(_ origins: String?) throws -> APIFixture {
        var fixture = APIFixture()
        fixture.settings.allowedOrigins = try origins.map { try #require(AllowedOrigins($0)) }
        return fixture
    }

    @Test func `without the setting no answer has the headers, and a preflight is 405`() async throws {
        try await fixture(nil).test { client in
            let read = try await client.execute(uri: "/v1/trial/1", method: .get, headers: [.origin: Self.page])
            #expect(read.headers[.accessControlAllowOrigin] == nil)
            #expect(read.headers[.vary] == "Accept-Encoding")
            let preflight = try await client.execute(uri: "/v1/trial", method: .options, headers: Self.preflight)
            #expect(preflight.status == .methodNotAllowed)
        }
    }

    @Test func `a preflight is answered forevery path, cacheable, with the headers of the contract`() async throws {
        try await fixture("https://other.example.org, https://app.example.org").test { client in
            for path in ["/v1/trial", "/v1/me/trial/1", "/v1/admins", "/openapi.yaml", "/v1/nothing"] {
                let answer = try await client.execute(uri: path, method: .options, headers: Self.preflight)
                #expect(answer.status == .noContent, "\(path)")
                #expect(answer.headers[.accessControlAllowOrigin] == Self.page)
                #expect(answer.headers[.accessControlAllowCredentials] == nil)
                #expect(answer.headers[.accessControlMaxAge] == "7200")
                #expect(
                    Self.words(answer.headers[.accessControlAllowHeaders]) == [
                        "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "If-Range",
                        "Last-Event-ID", "Log-Position", "Prefer", "Range", "Upload-Complete", "Upload-Length",
                        "Upload-Offset", "X-Request-Id",
                    ])
                #expect(answer.headers[.requestID] != nil)
            }
        }
    }

    @Test func `every method and header of the document may be sent, every header of answers read`() async throws {
        let document = try OpenAPIDocument()
        var sent: Set = ["Authorization", "Content-Type"]
        var answered: Set<String> = []
        for operation in document.operations {
            for parameter in try (operation.node["parameters"]?.items ?? []).map(document.resolve)
            where parameter["in"]?.text == "header" {
                sent.insert(try #require(parameter["name"]?.text))
            }
            for response in try (operation.node["responses"]?.members ?? []).map({ try document.resolve($0.value) }) {
                answered.formUnion(response["headers"]?.members.map(\.name) ?? [])
            }
        }
        // Any page may read these.
        answered.subtract(["Cache-Control", "Content-Type"])
        let methods = Set(document.operations.map { $0.method.uppercased() }).union(["HEAD"])
        try await fixture("*").test { [sent, answered] client in
            let preflight = try await client.execute(uri: "/v1/trial", method: .options, headers: Self.preflight)
            #expect(Self.words(preflight.headers[.accessControlAllowHeaders]) == sent)
            #expect(Self.words(preflight.headers[.accessControlAllowMethods]) == methods)
            let answer = try await client.execute(uri: "/v1/trial/1", method: .get, headers: [.origin: Self.page])
            #expect(Self.words(answer.headers[.accessControlExposeHeaders]).isSuperset(of: answered))
        }
    }

    @Test func `a listed origin reads answers and problems, another reads none`() async throws {
        try await fixture(Self.page).test { client in
            let cases: [(String, HTTPRequest.Method, HTTPResponse.Status)] = [
                ("/v1/trial/1", .get, .ok), ("/v1/me/trial/1", .get, .unauthorized), ("/v1/nothing", .get, .notFound),
                ("/v1/trial/1", .delete, .methodNotAllowed), ("/v1/broken", .get, .internalServerError),
            ]
            for (path, method, status) in cases {
                let answer = try await client.execute(uri: path, method: method, headers: [.origin: Self.page])
                #expect(answer.status == status)
                #expect(answer.headers[.accessControlAllowOrigin] == Self.page, "\(path)")
                #expect(Self.words(answer.headers[.accessControlExposeHeaders]).contains("X-Request-Id"))
                for origin in ["https://app.example.org.evil.example", "http://app.example.org", "null"] {
                    let other = try await client.execute(uri: path, method: method, headers: [.origin: origin])
                    #expect(other.headers[.accessControlAllowOrigin] == nil)
                    #expect(other.status == status)
                }
            }
        }
    }

    @Test func `caches keep the answers for listed origins apart, and only those that they may keep`() async throws {
        for (origins, expected) in [("*", "Accept-Encoding"), (Self.page, "Accept-Encoding, Origin")] {
            try await fixture(origins).test { client in
                // Also the answer to no page at all: a cache may give it to one.
                let plain = try await client.execute(uri: "/v1/trial/1", method: .get)
                #expect(plain.headers[.vary] == expected)
                #expect(plain.headers[.accessControlAllowOrigin] == (origins == "*" ? "*" : nil))
                let tag = try #require(plain.headers[.eTag])
                let unchanged = try await client.execute(
                    uri: "/v1/trial/1", method: .get, headers: [.ifNoneMatch: tag, .origin: Self.page])
                #expect(unchanged.status == .notModified)
                #expect(unchanged.headers[.vary] == expected)
                let own = try await client.execute(
                    uri: "/v1/me/trial/1", method: .get, headers: .token("birder"))
                #expect(own.headers[.vary] == nil)
            }
        }
    }

    @Test func `preflights take nothing from a quota, and 429 can be read`() async throws {
        var fixture = try fixture(Self.page)
        fixture.settings.credentialLimit = RateLimitPolicy(name: "credentials", quota: 1, window: .seconds(60))
        try await fixture.test { client in
            let client1: HTTPFields = [.forwardedFor: "203.0.113.9", .origin: Self.page]
            for _ in 0..<3 {
                let headers = client1.merging(Self.preflight)
                let preflight = try await client.execute(uri: "/v1/credentials", method: .options, headers: headers)
                #expect(preflight.status == .noContent)
            }
            let first = try await client.execute(uri: "/v1/credentials", method: .post, headers: client1)
            #expect(first.status == .ok)
            let second = try await client.execute(uri: "/v1/credentials", method: .post, headers: client1)
            #expect(second.status == .tooManyRequests)
            #expect(second.headers[.accessControlAllowOrigin] == Self.page)
            #expect(Self.words(second.headers[.accessControlExposeHeaders]).contains("Retry-After"))
        }
    }

    @Test(arguments: [
        ("*", true), ("https://app.example.org", true), ("http://localhost:3000,capacitor://localhost", true),
        ("http://[::1]:8080", true), ("", false), ("https://app.example.org/", false),
        ("https://App.example.org", false), ("https://app.example.org:443", false), ("app.example.org", false),
        ("*,https://app.example.org", false), ("https://app.example.org,", false), ("null", false),
        ("https://*.example.org", false),
    ])
    func `origins are as browsers send them`(text: String, isValid: Bool) {
        #expect((AllowedOrigins(text) != nil) == isValid)
    }

    private static let preflight: HTTPFields = [
        .origin: page, .accessControlRequestMethod: "PATCH",
        HTTPField.Name("Access-Control-Request-Headers") ?? .accept: "authorization,content-type",
    ]

    private static func words(_ header: String?) -> Set<String> {
        Set((header ?? "").split(separator: ", ").map(String.init))
    }
}

extension HTTPFields {
    fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
        var all = self
        for field in others { all[field.name] = field.value }
        return all
    }
}
