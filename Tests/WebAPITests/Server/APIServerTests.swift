import AsyncHTTPClient
import Hummingbird
import JSON
import Logging
import NIOCore
import NIOHTTP1
import Service
import ServiceLifecycle
import TestSupport
import Testing

@testable import Web
@testable import WebAPI

@Suite(.hangs)
struct APIServerTests {
    /// A gate that a request waits at until the test opens it.
    struct Gate: RouteGroup {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let opened = AsyncStream.makeStream(of: Void.self)

        var routes: [Route] {
            [
                Route(.get, "/v1/gate", .anyone) { _, _ in
                    arrived.continuation.yield()
                    for await _ in opened.stream { break }
                    return Response.json(Array("{\"through\":true}".utf8))
                }
            ]
        }
    }

    private func server(_ group: any RouteGroup, onListening: @escaping @Sendable (Int) -> Void) -> APIServer {
        let api = SkeinAPI(
            verifier: StubVerifier(), metrics: MetricRegistry(), readiness: StubReadiness(report: ReadinessReport([])),
            settings: APISettings(clientLimit: RateLimitPolicy(name: "client", quota: 100, window: .seconds(60))))
        return APIServer(
            api.responder([group]), ListenAddress(host: "127.0.0.1", port: 0), logger: LogCapture().logger(),
            onListening: onListening)
    }

    @Test func `a request in flight finishes when the service is told to stop, and no new one is taken`() async throws {
        let gate = Gate()
        let ports = AsyncStream.makeStream(of: Int.self)
        let services = ServiceGroup(
            services: [server(gate) { ports.continuation.yield($0) }], logger: LogCapture().logger())
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask {
                try await services.run()
                return nil
            }
            let port = try #require(await ports.stream.first { _ in true })
            let url = "http://127.0.0.1:\(port)/v1/gate"
            group.addTask {
                let response = try await client.execute(HTTPClientRequest(url: url), timeout: .minutes(3))
                #expect(response.headers["X-Request-Id"].first?.isEmpty == false)
                #expect(response.headers["RateLimit"].first?.hasPrefix("\"client\";r=99") == true)
                return String(buffer: try await response.body.collect(upTo: 1024))
            }
            _ = await gate.arrived.stream.first { _ in true }
            await services.triggerGracefulShutdown()
            gate.opened.continuation.yield()
            var answers: [String] = []
            for try await answer in group { answers += answer.map { [$0] } ?? [] }
            #expect(answers == ["{\"through\":true}"])
            await #expect(throws: (any Error).self) {
                try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(5))
            }
        }
        try await client.shutdown()
    }

    @Test func `a body without a length is measured as it comes`() async throws {
        let ports = AsyncStream.makeStream(of: Int.self)
        let services = ServiceGroup(
            services: [server(TrialRoutes()) { ports.continuation.yield($0) }], logger: LogCapture().logger())
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            let port = try #require(await ports.stream.first { _ in true })
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/v1/trial")
            request.method = .POST
            request.headers = ["Authorization": "Bearer birder", "Content-Type": "application/json"]
            request.body = .stream(
                (0..<80).async { _ in ByteBuffer(repeating: 0x20, count: 1024) }, length: .unknown)
            let response = try await client.execute(request, timeout: .minutes(3))
            #expect(response.status == .payloadTooLarge)
            request.body = .bytes(ByteBuffer(string: "{\"confidence\":3}"))
            let good = try await client.execute(request, timeout: .minutes(3))
            #expect(good.status == .created)
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        try await client.shutdown()
    }
}

extension Sequence where Self: Sendable {
    /// The sequence, given out asynchronously.
    fileprivate func async<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Result
    ) -> AsyncStream<Result> {
        AsyncStream { continuation in
            for element in self { continuation.yield(transform(element)) }
            continuation.finish()
        }
    }
}
