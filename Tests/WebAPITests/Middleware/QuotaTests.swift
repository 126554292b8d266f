import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web
@testable import WebAPI

/// What counts towards which quota.
struct QuotaTests {
    private static let client: HTTPFields = [.forwardedFor: "203.0.113.9"]

    private func fixture(client quota: Int) -> APIFixture {
        var fixture = APIFixture()
        // Nothing of it is back during a test.
        fixture.settings.clientLimit = RateLimitPolicy(name: "client", quota: quota, window: .seconds(86_400))
        return fixture
    }

    @Test(arguments: ["/v1/none", "/v1/me/trial/7", "//healthz"])
    func `what is rejected before it reaches a route counts for the client`(_ path: String) async throws {
        try await fixture(client: 2).test { client in
            var statuses: [Int] = []
            for _ in 0..<3 {
                let response = try await client.execute(uri: path, method: .get, headers: Self.client)
                statuses.append(response.status.code)
            }
            #expect(statuses[0] == statuses[1] && statuses[0] != 429 && statuses[2] == 429)
            let other = try await client.execute(uri: "/v1/trial/7", method: .get, headers: Self.client)
            #expect(other.status == .tooManyRequests)
        }
    }

    /// Routes that are overloaded, take several items, or read a body.
    private struct Trials: RouteGroup {
        var routes: [Route] {
            [
                Route(.post, "/v1/busy", .credentials, problems: [.unavailable]) { _, _ in
                    throw ProblemDetails.unavailable()
                },
                Route(.post, "/v1/items/{count}", .signedIn) { _, context in
                    let count = context.parameters.get("count").flatMap { Int($0) } ?? 1
                    if count > 1 { try context.allowance?.take(items: count - 1) }
                    return Response.json(Array("{}".utf8))
                },
                Route(.post, "/v1/body", .signedIn, reads: [.body]) { request, _ in
                    _ = try await request.json(limits: .batch)
                    return Response.json(Array("{}".utf8))
                },
                Route(.post, "/v1/photos/{id}", .signedIn, reads: [.image]) { request, _ in
                    try request.expectImage()
                    for try await _ in request.body {}
                    return Response.json(Array("{}".utf8))
                },
            ]
        }
    }

    @Test func `an attempt that the service has no room for is not counted`() async throws {
        var fixture = APIFixture()
        fixture.settings.credentialLimit = RateLimitPolicy(name: "credentials", quota: 2, window: .seconds(60))
        try await fixture.test([Trials()]) { client in
            for _ in 0..<5 {
                let response = try await client.execute(uri: "/v1/busy", method: .post, headers: Self.client)
                #expect(response.status == .serviceUnavailable)
            }
        }
    }

    @Test func `a batch counts as its items`() async throws {
        var fixture = APIFixture()
        fixture.settings.accountLimits = AccountLimits(items: 10, bytes: 0, dailyWrites: 15, newcomerWrites: 0)
        try await fixture.test([Trials()]) { client in
            func send(_ count: Int) async throws -> TestResponse {
                try await client.execute(uri: "/v1/items/\(count)", method: .post, headers: .token("birder"))
            }
            let first = try await send(6)
            // One more is back every six seconds.
            let rest = 4..<6
            #expect(rest.contains(Self.left("account", first.headers[.rateLimit])))
            #expect(first.headers[.rateLimit]?.contains("\"daily\";r=9;") == true)
            #expect(first.headers[.rateLimitPolicy] == "\"account\";q=10;w=60, \"daily\";q=15;w=86400")
            let second = try await send(6)
            #expect(second.status == .tooManyRequests)
            // Nothing was taken for the rejected ones.
            #expect(rest.contains(Self.left("account", second.headers[.rateLimit])))
            #expect(try await send(4).status == .ok)
        }
    }

    /// The rest of a quota, as an answer or a header reports it.
    private static func left(_ name: String, _ answer: String?) -> Int {
        (answer ?? "").matches(of: /"(\w+)";r=(\d+);t=/).first { $0.1 == name }.flatMap { Int($0.2) } ?? 0
    }

    private static func post(_ path: String, type: String, length: Int, body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer birder\r\nContent-Type: \(type)\r\n"
            + "Connection: close\r\nContent-Length: \(length)\r\n\r\n\(body)"
    }

    @Test(.hangs, arguments: ["image/jpeg", "application/octet-stream"])
    func `the bytes of photos count for the client and not for the account, whatever their type is said to be`(
        type: String
    ) async throws {
        let photo = Self.post("/v1/photos/7", type: type, length: 60, body: String(repeating: "x", count: 60))
        try await RunningAPI.serve([Trials()], settings: Self.fiftyBytes) { api in
            let answer = try await api.exchange(photo)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("\"photos\";r="), "\(answer)")
            #expect(!answer.contains("\"bytes\""))
        }
    }

    @Test(.hangs, arguments: [("image/jpeg", "415"), ("application/json", "413")])
    func `a body that is rejected before it is read counts as the 64 KiB that are`(
        type: String, status: String
    ) async throws {
        var settings = Self.fiftyBytes
        settings.accountLimits.bytes = 200_000
        try await RunningAPI.serve([Trials()], settings: settings) { api in
            let answer = try await api.answer(
                to: Self.post("/v1/body", type: type, length: 20_000_000, body: ""))
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            // It fills again within twenty seconds: uncounted, it would be full at once.
            #expect((134_464..<185_000).contains(Self.left("bytes", answer)), "\(answer)")
            // One that is read counts as a whole.
            let body = "{" + String(repeating: " ", count: 99_998) + "}"
            let read = try await api.exchange(
                Self.post("/v1/body", type: "application/json", length: body.utf8.count, body: body))
            #expect(read.hasPrefix("HTTP/1.1 200"), "\(read)")
            // However much it had filled up: uncounted, no less than before would be left.
            #expect((34_464..<134_464).contains(Self.left("bytes", read)), "\(read)")
        }
    }

    private static let fiftyBytes = APISettings(
        accountLimits: AccountLimits(items: 0, bytes: 50, dailyWrites: 0, newcomerWrites: 0), clientLimit: nil)

    @Test(.hangs, arguments: [true, false])
    func `bodies count by their bytes, with a length and without`(hasLength: Bool) async throws {
        let body = "{" + String(repeating: " ", count: 38) + "}"
        let framed =
            hasLength
            ? "Content-Length: 40\r\n\r\n\(body)" : "Transfer-Encoding: chunked\r\n\r\n28\r\n\(body)\r\n0\r\n\r\n"
        let request =
            "POST /v1/body HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer birder\r\nContent-Type: application/json\r\n"
        let last = "Connection: close\r\n"
        try await RunningAPI.serve([Trials()], settings: Self.fiftyBytes) { api in
            let first = try await api.exchange(request + last + framed)
            // It fills again within a minute: uncounted, it would be full at once.
            let rest = 10..<25
            #expect(first.hasPrefix("HTTP/1.1 200") && rest.contains(Self.left("bytes", first)), "\(first)")
            // A length is believed; without one the bytes count when they have come.
            let second = try await api.exchange(request + last + framed)
            #expect(second.hasPrefix(hasLength ? "HTTP/1.1 429" : "HTTP/1.1 200"))
            #expect(hasLength ? rest.contains(Self.left("bytes", second)) : second.contains("\"bytes\";r=0;"))
        }
    }

    @Test func `an account in its first week writes less`() async throws {
        let limits = AccountLimits(items: 0, bytes: 0, dailyWrites: 10, newcomerWrites: 2)
        let middleware = try #require(limits.limiting(ClientAddressing(trustedProxies: 0)))
        for (days, allowed) in [(1.0, 2), (8.0, 10)] {
            var principal = APIFixture.birder
            principal.registeredAt = Date(timeIntervalSinceNow: -days * 86_400)
            let limiters = middleware.limiters(for: principal)
            #expect(limiters.map(\.policy.quota) == [allowed])
        }
    }
}
