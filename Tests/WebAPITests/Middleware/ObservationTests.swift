import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import Testing

@testable import Web
@testable import WebAPI

struct ObservationTests {
    @Test func `requests are counted by the template of their route`() async throws {
        let fixture = APIFixture()
        try await fixture.test { client in
            for id in 0..<3 { _ = try await client.execute(uri: "/v1/trial/\(id)", method: .get) }
            _ = try await client.execute(uri: "/v1/trial", method: .get)
            _ = try await client.execute(uri: "/no/such/path", method: .get)
            _ = try await client.execute(uri: "/v1/broken", method: .get)
            #expect(try await client.execute(uri: "/metrics", method: .get).status == .notFound)
        }
        try await fixture.testOperations { client in
            let text = String(buffer: try await client.execute(uri: "/metrics", method: .get).body)
            let name = "skein_http_request_duration_seconds"
            #expect(text.contains("\(name)_count{method=\"GET\",route=\"/v1/trial/{id}\",status=\"200\"} 3"))
            #expect(text.contains("\(name)_count{method=\"GET\",route=\"/v1/trial\",status=\"405\"} 1"))
            #expect(text.contains("\(name)_count{method=\"GET\",route=\"NotFound\",status=\"404\"} 2"))
            #expect(text.contains("\(name)_count{method=\"GET\",route=\"/v1/broken\",status=\"500\"} 1"))
            #expect(text.contains("skein_http_requests_active 1\n"))
        }
    }

    @Test func `the log names routes, not tokens, places or bodies`() async throws {
        let fixture = APIFixture()
        try await fixture.test { client in
            _ = try await client.execute(
                uri: "/v1/trial?near=47.60621,-122.33207&email=wren@example.org", method: .post,
                headers: .token("birder"), body: ByteBuffer(string: #"{"confidence":8,"notes":"nest behind"}"#))
            _ = try await client.execute(
                uri: "/v1/trial", method: .post, headers: .token("sesame"), body: ByteBuffer(string: "{"))
        }
        let line = try #require(fixture.log.all.first { $0.message == "request" })
        #expect(line.metadata["route"] == "/v1/trial")
        #expect(line.metadata["status"] == "201")
        #expect(line.metadata["milliseconds"].flatMap { Int($0) } != nil)
        for secret in ["47.60621", "wren@example.org", "Bearer", "sesame", "nest behind"] {
            #expect(!fixture.log.text.contains(secret), "\(secret)")
        }
    }

    @Test func `readiness says what is wrong, and 503 only when it cannot work`() async throws {
        var fixture = APIFixture()
        fixture.readiness.report = ReadinessReport([
            .init("database", .ready), .init("partitions", .warning, detail: "one is ahead"),
            .init("model:findings", .ready, lag: 12),
        ])
        try await fixture.test { client in
            let response = try await client.execute(uri: "/readyz", method: .get)
            #expect(response.status == .ok && String(buffer: response.body) == #"{"status":"ready"}"#)
        }
        try await fixture.testOperations { client in
            let response = try await client.execute(uri: "/readyz", method: .get)
            #expect(response.status == .ok)
            #expect(try response.json["checks"]?[2]?["lag"] == .integer(12))
            #expect(try response.json["checks"]?[1]?["status"] == .string("warning"))
        }
        fixture.readiness.report = ReadinessReport([.init("database", .failed, detail: "cannot be reached")])
        try await fixture.test { client in
            let ready = try await client.execute(uri: "/readyz", method: .get)
            #expect(ready.status == .serviceUnavailable && String(buffer: ready.body) == #"{"status":"failed"}"#)
            let health = try await client.execute(uri: "/healthz", method: .get)
            #expect(health.status == .ok)
        }
    }

    @Test func `liveness is 503 only while the process ends to be started again`() async throws {
        var fixture = APIFixture()
        fixture.readiness.isEnding = true
        let expectEnding: @Sendable (any TestClientProtocol) async throws -> Void = { client in
            let health = try await client.execute(uri: "/healthz", method: .get)
            #expect(health.status == .serviceUnavailable)
        }
        try await fixture.test { try await expectEnding($0) }
        try await fixture.testOperations(expectEnding)
    }
}
