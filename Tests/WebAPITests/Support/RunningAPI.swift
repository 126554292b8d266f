import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import Web
@testable import WebAPI

/// The API on a real port, and the bytes that clients exchange with it.
struct RunningAPI: Sendable {
    let port: Int
    let log: LogCapture

    /// Serves while a test runs.
    static func serve(
        _ groups: [any RouteGroup] = [TrialRoutes()],
        settings: APISettings = APISettings(accountLimits: .none, clientLimit: nil, credentialLimit: nil),
        limits: ConnectionLimits = ConnectionLimits(), verifier: any AccessTokenVerifying = StubVerifier(),
        _ body: @Sendable (RunningAPI) async throws -> Void
    ) async throws {
        let api = SkeinAPI(
            verifier: verifier, metrics: MetricRegistry(), readiness: StubReadiness(report: ReadinessReport([])),
            settings: settings)
        try await serve(api.responder(groups), on: "127.0.0.1", limits: limits, body)
    }

    /// Serves the operations listener while a test runs.
    static func serveOperations(on host: String, _ body: @Sendable (RunningAPI) async throws -> Void) async throws {
        let api = SkeinAPI(
            verifier: StubVerifier(), metrics: MetricRegistry(),
            readiness: StubReadiness(report: ReadinessReport([])))
        try await serve(api.operations(on: host), on: host, limits: ConnectionLimits(), body)
    }

    private static func serve(
        _ responder: RouteResponder, on host: String, limits: ConnectionLimits,
        _ body: @Sendable (RunningAPI) async throws -> Void
    ) async throws {
        let log = LogCapture()
        let logger = log.logger()
        let ports = AsyncStream.makeStream(of: Int.self)
        let server = APIServer(
            responder, ListenAddress(host: host, port: 0), limits: limits, logger: logger
        ) { ports.continuation.yield($0) }
        let services = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            let port = try #require(await ports.stream.first { _ in true })
            let result: Result<Void, any Error>
            do { result = .success(try await body(RunningAPI(port: port, log: log))) } catch {
                result = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            try result.get()
        }
    }

    /// Opens a connection.
    func connect() async throws -> RawConnection {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: NIOAsyncChannel.Configuration(isOutboundHalfClosureEnabled: true))
                }
            }
    }

    /// Sends bytes on a connection of their own, and returns what comes until it is closed.
    /// - Parameter isEnding: whether to close the sending side after them.
    func exchange(_ parts: String..., isEnding: Bool = false) async throws -> String {
        try await connect().executeThenClose { inbound, outbound in
            for part in parts { try await outbound.write(ByteBuffer(string: part)) }
            if isEnding { outbound.finish() }
            var text = ""
            do {
                for try await buffer in inbound { text += String(buffer: buffer) }
            } catch is IOError {
                // Reset: what came before counts.
            }
            return text
        }
    }

    /// Sends the head of a request, and returns the problem with which it is rejected.
    func answer(to head: String) async throws -> String {
        try await connect().executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: head))
            var text = ""
            for try await buffer in inbound {
                text += String(buffer: buffer)
                if text.hasSuffix("}") { break }
            }
            return text
        }
    }
}

typealias RawConnection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
