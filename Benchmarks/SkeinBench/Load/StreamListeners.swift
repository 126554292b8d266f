import NIOCore
import NIOPosix

/// Clients that hold streams of events open.
struct StreamListeners: Sendable {
    private let channels: [any Channel]

    /// Opens the streams of some clients, several for each of them in turn, and waits until all have begun.
    /// - Throws: ``ProgramError`` if one is rejected.
    init(_ count: Int, of clients: [APIClient]) async throws {
        var channels: [any Channel] = []
        for number in 0..<count {
            let client = clients[number % clients.count]
            let begun = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: client.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(StreamListener(begun))
                        return channel
                    }
                }
            let request = """
                GET /v1/me/events HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r
                Authorization: Bearer \(client.token ?? "")\r\n\r\n
                """
            try await channel.writeAndFlush(ByteBuffer(string: request))
            try await begun.futureResult.get()
            channels.append(channel)
        }
        self.channels = channels
    }

    /// The number of streams that are still open.
    var open: Int { channels.count(where: \.isActive) }

    func close() async throws {
        for channel in channels { try? await channel.close() }
    }
}

/// Reads everything, and looks at the beginning only.
private final class StreamListener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var begun: EventLoopPromise<Void>?

    init(_ begun: EventLoopPromise<Void>) {
        self.begun = begun
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let begun else { return }
        self.begun = nil
        let answer = String(buffer: unwrapInboundIn(data))
        if answer.hasPrefix("HTTP/1.1 200") {
            begun.succeed()
        } else {
            begun.fail(ProgramError(description: "a stream was answered \(answer)"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        begun?.fail(ProgramError(description: "the service closed a stream"))
    }
}
