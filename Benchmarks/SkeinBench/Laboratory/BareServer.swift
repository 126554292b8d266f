import HTTPTypes
import Hummingbird
import NIOCore

/// The same Hummingbird with nothing of Skein: answers made beforehand, no middleware, no context of its own.
enum BareServer {
    /// Serves one path for as long as something runs. A GET gets the body; a POST is read whole before it gets it.
    static func with<Value: Sendable>(
        _ laboratory: Laboratory, path: String, body answer: [UInt8],
        _ body: @escaping @Sendable (APIClient) async throws -> Value
    ) async throws -> Value {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router(path, ByteBuffer(bytes: answer)),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), backlog: 1024),
            onServerRunning: { listening.yield($0.localAddress?.port ?? 0) }, logger: laboratory.logger)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            group.addTask {
                for await port in ports { return try await body(APIClient(port: port)) }
                return nil
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else { throw CancellationError() }
            return value
        }
    }

    private static func router(_ path: String, _ answer: ByteBuffer) -> Router<BasicRequestContext> {
        let router = Router()
        router.get(RouterPath(path)) { _, _ in response(.ok, answer) }
        router.post(RouterPath(path)) { request, _ in
            _ = try await request.body.collect(upTo: 1 << 20)
            return response(.created, answer)
        }
        return router
    }

    private static func response(_ status: HTTPResponse.Status, _ answer: ByteBuffer) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: answer))
    }
}
