import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import Service
import TestSupport
import Testing

@testable import Web
@testable import WebAPI

extension RouteTests {
    @Test func `the code of the mail at sign-up verifies the address, once`() async throws {
        let birder = try await Caller.register(try .required)
        let (before, anonymous) = (try await birder.send(.get, "/v1/me"), Caller.anonymous(birder.served))
        #expect(try before["emailVerified"] == .boolean(false))
        let code = try await birder.served.code(to: birder.email)
        #expect(try await birder.served.mails(to: birder.email).count == 1)
        let (body, key) = (#"{"token":"\#(code.lowercased().replacing("-", with: " "))"}"#, UUID())
        for _ in 0..<2 {
            let verified = try await anonymous.send(.put, "/v1/email-verifications", key: key, json: body)
            #expect(verified.status == .noContent)
        }
        let after = try await birder.send(.get, "/v1/me")
        #expect(try after["emailVerified"] == .boolean(true))
        #expect(after.headers[.eTag] != before.headers[.eTag])
        let again = try await anonymous.send(.put, "/v1/email-verifications", json: body)
        #expect(try again.problem == "invalid-code")
        let another = try await birder.send(.post, "/v1/me/email-verifications")
        #expect(try another.problem == "email-verified")
    }

    @Test func `a mail is sent again on request, and codes that were not sent are rejected`() async throws {
        let birder = try await Caller.register(try .required)
        let first = try await birder.served.code(to: birder.email)
        #expect(try await birder.send(.post, "/v1/me/email-verifications").status == .accepted)
        let second = try await birder.served.code(to: birder.email)
        #expect(first != second)
        for token in ["", "0000-0000-0000-0000-0000-0000", "\(second)0", String(repeating: "0", count: 5000)] {
            let answer = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(token)"}"#)
            #expect(try answer.problem == "invalid-code", "\(token)")
        }
        let missing = try await birder.send(.put, "/v1/email-verifications", key: nil, json: #"{"token":"\#(first)"}"#)
        #expect(try missing.problem == "idempotency-key-required")
        let verified = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(first)"}"#)
        #expect(verified.status == .noContent)
        // The other one was not used, but is good for nothing any more.
        let rest = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(second)"}"#)
        #expect(try rest.problem == "invalid-code")
    }

    @Test func `an expired code is rejected`() async throws {
        let birder = try await Caller.register(try .required)
        let code = try await birder.served.code(to: birder.email)
        let database = birder.served.database
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query(
                """
                UPDATE vault.mail_codes SET expires_at = expires_at - interval '25 hours'
                 WHERE account = \(try #require(birder.account).uuid)
                """)
        }
        let late = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
        #expect(try late.problem == "invalid-code")
    }

    @Test func `no code is stored, neither in the queue nor beside the log`() async throws {
        let birder = try await Caller.register(try .required)
        let code = try await birder.served.code(to: birder.email)
        let database = birder.served.database
        let rows = try await database.withConnection(database.owner) { owner in
            try await owner.query(
                "SELECT m::text AS text FROM vault.mails m UNION ALL SELECT c::text FROM vault.mail_codes c"
            ).rows.map { try $0.decode("text", as: String.self) }
        }
        #expect(rows.count > 1 && !rows.contains { $0.contains(code) })
    }
}

/// Sightings of accounts whose address is not verified.
@Suite(.hangs) struct UnverifiedQuotaTests {
    @Test func `an unverified account submits so many sightings a day, and any number once it is verified`()
        async throws
    {
        try await ServedRoutes.run(unverifiedSightings: 2) { served in
            let birder = try await Caller.register(served)
            let key = UUID()
            _ = try await birder.submit(key: key)
            // Neither a retry nor a rejected sighting counts.
            _ = try await birder.submit(key: key)
            let invalid = try await birder.send(.post, "/v1/sightings", json: "{}")
            #expect(try invalid.problem == "validation-failed")
            _ = try await birder.submit()
            let third = try await birder.send(.post, "/v1/sightings", json: Caller.sighting())
            #expect(try third.problem == "unverified-quota" && third.headers[.retryAfter] == "3600")
            let batch = #"{"items":[{"key":"\#(UUID())","sighting":\#(Caller.sighting())}]}"#
            let results = try await birder.send(.post, "/v1/sightings/batch", json: batch)
            #expect(try results["items.0.status"] == .integer(429))
            _ = try await birder.submit(key: key)
            let code = try await served.code(to: birder.email)
            _ = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
            for _ in 0..<3 { _ = try await birder.submit() }
        }
    }

    /// Asks for a mail.
    /// - Returns: the status.
    private static func ask(_ client: any TestClientProtocol, by caller: Caller) async throws -> Int {
        let headers: HTTPFields = [.authorization: "Bearer \(caller.token ?? "")"]
        return try await client.execute(uri: "/v1/me/email-verifications", method: .post, headers: headers).status.code
    }

    @Test func `mails on request have a quota for each account`() async throws {
        var quotas = UseCaseLimits.none
        quotas.mails = RateLimitPolicy(name: "mails", quota: 2, window: .seconds(3600))
        try await ServedRoutes.run(quotas: quotas) { served in
            let (birder, other) = (try await Caller.register(served), try await Caller.register(served))
            let routes = VerificationRoutes(verifications: served.cases.accounts.verifications)
            var fixture = APIFixture()
            fixture.verifier = served.cases.accounts.callers
            try await fixture.test([routes]) { client in
                for status in [202, 202, 429] {
                    let answer = try await Self.ask(client, by: birder)
                    #expect(answer == status)
                }
                let unaffected = try await Self.ask(client, by: other)
                #expect(unaffected == 202)
            }
        }
    }
}
