import Foundation
import NIOHTTP1
import TestSupport
import Testing

extension EndToEndTests {
    @Test func `without quotas, an unverified account submits and asks for mails as often as it likes`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        for _ in 0..<25 {
            #expect(try await birder.submit().status == 201)
            #expect(try await birder.send(.POST, "/v1/me/email-verifications").status == 202)
            let asked = try await birder.service.send(
                .POST, "/v1/password-resets", json: #"{"email":"\#(birder.email)"}"#)
            #expect(asked.status == 202)
        }
    }
}

/// The settings of the quotas of mails, codes and unverified accounts.
@Suite(.hangs) struct MailQuotaTests {
    @Test func `quotas of mails, codes, keys and unverified accounts are settings`() async throws {
        let settings = [
            "SKEIN_RATE_LIMITS": "on", "SKEIN_UNVERIFIED_DAILY_SIGHTINGS": "1", "SKEIN_MAILS_PER_HOUR": "2",
            "SKEIN_RECOVERY_ATTEMPTS": "2", "SKEIN_KEY_ITEMS": "1",
        ]
        try await ServedSkein.run(settings) { service in
            let birder = try await Birder.register(service)
            #expect(try await birder.submit().status == 201)
            #expect(try await birder.submit().problem == "unverified-quota")
            var mails: [Int] = []
            for _ in 0..<3 { mails.append(try await birder.send(.POST, "/v1/me/email-verifications").status) }
            #expect(mails == [202, 202, 429])
            let made = try await birder.send(.POST, "/v1/me/keys", json: #"{"name":"a","scopes":["read"]}"#)
            var reads: [Int] = []
            for _ in 0..<2 { reads.append(try await service.send(.GET, "/v1/me", token: made.text("key")).status) }
            #expect(reads == [200, 429])
            // One is back after half a minute, which three requests do not take even on a slow machine.
            var codes: [Int] = []
            for _ in 0..<3 {
                let body = #"{"token":"none"}"#
                codes.append(try await birder.send(.PUT, "/v1/email-verifications", json: body).status)
            }
            #expect(codes == [422, 422, 429])
        }
    }
}
