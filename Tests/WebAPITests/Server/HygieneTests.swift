import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

struct HygieneTests {
    @Test(arguments: ["//healthz", "/healthz/", "/v1//trial/7", "/v1/trial/7/", "/readyz/"])
    func `a path has one spelling`(_ path: String) async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: path, method: .get)
            #expect(response.status == .notFound)
            #expect(try response.problem == "not-found")
        }
    }

    @Test func `a compressed request is not read`() async throws {
        try await APIFixture().test { client in
            var headers = HTTPFields.token("birder")
            headers[.contentEncoding] = "gzip"
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: headers, body: ByteBuffer(string: #"{"confidence":8}"#))
            #expect(response.status == .unsupportedMediaType)
            #expect(response.headers[.acceptEncoding] == "identity")
        }
    }

    @Test(arguments: [
        (1, "https", true), (1, "http", false), (0, "https", false), (1, "https, http", false),
        (2, "https, http", true),
    ])
    func `browsers that came by TLS are told to come by it again`(proxies: Int, scheme: String, told: Bool) async throws
    {
        var fixture = APIFixture()
        fixture.settings.trustedProxies = proxies
        try await fixture.test { client in
            let response = try await client.execute(
                uri: "/healthz", method: .get, headers: [.forwardedProto: scheme])
            #expect((response.headers[.strictTransportSecurity] != nil) == told)
        }
    }

    @Test func `a problem lists a hundred faults and says how many there are`() throws {
        let rule = "is not a member of this object"
        let faults = (0..<312).map { ProblemFault(.pointer("/\($0)"), code: "unexpected", detail: rule) }
        let text = String(
            decoding: ProblemDetails(.validationFailed, errors: faults).body(instance: "x"), as: UTF8.self)
        #expect(text.contains("The first 100 of 312 errors are listed."))
        #expect(text.contains(#""/99""#) && !text.contains(#""/100""#))
    }

    @Test(arguments: [
        ("a", true), ("a:80", true), ("[::1]:80", true), ("api.example.org", true), ("192.0.2.1", true), ("a:", true),
        ("", false), ("a:b", false), ("[::1", false), ("[x]", false), ("a@b", false), ("a b", false), (":80", false),
        ("é", false),
    ])
    func `a host is a name or an address with an optional port`(text: String, good: Bool) {
        #expect(RequestFraming.isHost(text) == good)
    }
}
