import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

struct AccessTests {
    @Test func `without a token there is a challenge`() async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: "/v1/trial", method: .post)
            #expect(response.status == .unauthorized)
            #expect(response.headers[.wwwAuthenticate] == "Bearer realm=\"skein\"")
        }
    }

    @Test(arguments: [
        "Bearer wrong", "Basic YTpi", "Bearer", "Bearer a b", "bearerbirder", "Bearer \u{7F}",
    ])
    func `a token that is none is rejected as such`(header: String) async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(
                uri: "/v1/trial", method: .post, headers: [.authorization: header])
            #expect(response.status == .unauthorized)
            #expect(response.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
        }
    }

    @Test(arguments: ["Bearer birder", "bearer birder", "BEARER  birder "])
    func `the scheme is written in any case`(header: String) {
        #expect(Authentication.bearerToken(header) == "birder")
    }

    @Test func `when tokens cannot be verified it is our fault, not theirs`() async throws {
        try await APIFixture().test { client in
            let response = try await client.execute(uri: "/v1/trial", method: .post, headers: .token("trouble"))
            #expect(response.status == .internalServerError)
        }
    }

    @Test func `another role is needed for some things`() async throws {
        try await APIFixture().test { client in
            let birder = try await client.execute(uri: "/v1/admins", method: .post, headers: .token("birder"))
            #expect(birder.status == .forbidden)
            #expect(try birder.json["detail"] == .string("This needs the role admin."))
            let admin = try await client.execute(uri: "/v1/admins", method: .post, headers: .token("admin"))
            #expect(admin.status == .ok)
        }
    }

    @Test func `public routes never look at a token, not even at a bad one`() async throws {
        try await APIFixture().test { client in
            let without = try await client.execute(uri: "/v1/trial/7", method: .get)
            let with = try await client.execute(uri: "/v1/trial/7", method: .get, headers: .token("wrong"))
            #expect(with.status == .ok)
            #expect(with.headers[.eTag] == without.headers[.eTag])
            #expect(with.body == without.body)
        }
    }
}
