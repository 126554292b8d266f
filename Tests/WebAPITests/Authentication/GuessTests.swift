import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Service
import TestSupport
import Testing

@testable import Web
@testable import WebAPI

/// Passwords that are tried count for the account, wherever they come from, and for the address, whatever the account.
@Suite(.hangs) struct GuessTests {
    private static let quotas: UseCaseLimits = {
        var quotas = UseCaseLimits.none
        quotas.guesses = RateLimitPolicy(name: "guesses", quota: 3, window: .seconds(900))
        return quotas
    }()

    /// Tries a password from an address.
    private func attempt(
        _ email: String, _ password: String, from address: String, _ client: any TestClientProtocol
    ) async throws -> TestResponse {
        try await client.execute(
            uri: "/v1/sessions", method: .post,
            headers: [.forwardedFor: address, .contentType: "application/json"],
            body: ByteBuffer(string: #"{"email":"\#(email)","password":"\#(password)"}"#))
    }

    @Test func `wrong passwords count for the account, from any address and in any spelling`() async throws {
        try await ServedRoutes.run(quotas: Self.quotas) { served in
            let (birder, other) = (try await Caller.register(served), try await Caller.register(served))
            let accounts = served.cases.accounts
            let routes = SessionRoutes(sessions: accounts.sessions, accounts: accounts.service)
            try await APIFixture().test([routes]) { client in
                // A right password does not count.
                for number in 0..<4 {
                    let answer = try await attempt(birder.email, Caller.password, from: "203.0.113.\(number)", client)
                    #expect(answer.status == .created)
                }
                for number in 0..<3 {
                    let email = number == 1 ? birder.email.uppercased() : birder.email
                    let answer = try await attempt(email, "wrong", from: "198.51.100.\(number)", client)
                    #expect(answer.status == .unauthorized)
                }
                let last = try await attempt(birder.email, Caller.password, from: "192.0.2.1", client)
                #expect(last.status == .tooManyRequests && last.headers[.retryAfter] != nil)
                #expect(try await attempt(other.email, "wrong", from: "198.51.100.0", client).status == .unauthorized)
            }
        }
    }

    @Test func `attempts count for the address, of IPv6 for the /64 network, whatever the account`() async throws {
        try await ServedRoutes.run(quotas: Self.quotas) { served in
            let accounts = served.cases.accounts
            let routes = SessionRoutes(sessions: accounts.sessions, accounts: accounts.service)
            var fixture = APIFixture()
            fixture.settings.credentialLimit = RateLimitPolicy(name: "credentials", quota: 4, window: .seconds(3600))
            try await fixture.test([routes]) { client in
                for (network, statuses) in [("2001:db8:1:2", [401, 401, 401, 401, 429]), ("2001:db8:1:3", [401])] {
                    for (number, status) in statuses.enumerated() {
                        let address = "\(network)::\(number + 1)"
                        let answer = try await attempt("wren\(number)@example.org", "wrong", from: address, client)
                        #expect(answer.status.code == status, "\(address)")
                    }
                }
            }
        }
    }

    /// As pages beside the API would be.
    @Test func `another face of the service is no second quota`() async throws {
        try await ServedRoutes.run(quotas: Self.quotas) { served in
            let birder = try await Caller.register(served)
            for statuses in [[401, 401], [401, 429]] {
                try await APIFixture().test(ServedRoutes.groups(served.cases)) { client in
                    for status in statuses {
                        let answer = try await attempt(birder.email, "wrong", from: "198.51.100.1", client)
                        #expect(answer.status.code == status)
                    }
                }
            }
        }
    }
}
