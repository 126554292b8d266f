import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import WebAPI

@Suite("Who may ask")
struct AccessTests {
    @Test("without a token there is a challenge")
    func missing() async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: "/v1/trial", method: .post)
            #expect(response.status == .unauthorized)
            #expect(response.headers[.wwwAuthenticate] == "Bearer realm=\"skein\"")
        }
    }

    @Test(
        "a token that is none is rejected as such",
        arguments: [
            "Bearer wrong", "Basic YTpi", "Bearer", "Bearer a b", "bearerbirder", "Bearer \u{7F}",
        ])
    func rejected(header: String) async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: [.authorization: header])
            #expect(response.status == .unauthorized)
            #expect(response.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
        }
    }

    @Test("the scheme is written in any case", arguments: ["Bearer birder", "bearer birder", "BEARER  birder "])
    func scheme(header: String) {
        #expect(Authentication.bearerToken(header) == "birder")
    }

    @Test("when tokens cannot be verified it is our fault, not theirs")
    func trouble() async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: "/v1/trial", method: .post, headers: .token("trouble"))
            #expect(response.status == .internalServerError)
        }
    }

    @Test("another role is needed for some things")
    func roles() async throws {
        try await APIFixture().test { client in
            let birder = try await client.execute(uri: "/v1/admins", method: .post, headers: .token("birder"))
            #expect(birder.status == .forbidden)
            #expect(try birder.json["detail"] == .string("This needs the role admin."))
            let admin = try await client.execute(uri: "/v1/admins", method: .post, headers: .token("admin"))
            #expect(admin.status == .ok)
        }
    }

    @Test("public routes never look at a token, not even at a bad one")
    func publicRoutes() async throws {
        try await APIFixture().test { client in
            let without = try await client.execute(uri: "/v1/trial/7", method: .get)
            let with = try await client.execute(uri: "/v1/trial/7", method: .get, headers: .token("wrong"))
            #expect(with.status == .ok)
            #expect(with.headers[.eTag] == without.headers[.eTag])
            #expect(with.body == without.body)
        }
    }
}
