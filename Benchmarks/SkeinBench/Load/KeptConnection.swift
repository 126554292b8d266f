import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP connection that stays open for one request after the other.
final class KeptConnection {
    private let host: String
    private var inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

    private init(
        host: String, inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) {
        (self.host, self.inbound, self.outbound) = (host, inbound, outbound)
    }

    /// Opens a connection, and closes it after `body`.
    static func with<Value: Sendable>(
        _ client: APIClient, _ body: (KeptConnection) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: client.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(
                KeptConnection(
                    host: "127.0.0.1:\(client.port)", inbound: inbound.makeAsyncIterator(), outbound: outbound))
        }
    }

    /// - Throws: ``ProgramError`` when the service closes the connection.
    func get(_ path: String) async throws -> APIClient.Answer {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["Host": host])
        try await outbound.write(.head(head))
        try await outbound.write(.end(nil))
        var answer = APIClient.Answer()
        while let part = try await inbound.next() {
            switch part {
            case .head(let head): answer.status = head.status.code
            case .body(let bytes): answer.body += bytes.readableBytesView
            case .end: return answer
            }
        }
        throw ProgramError(description: "the service closed the connection before the response was complete")
    }
}
