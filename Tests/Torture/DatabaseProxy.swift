import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PrivateServer

/// A service's network: passes TCP connections on to PostgreSQL's socket, until they are cut or silenced.
final class DatabaseProxy: Sendable {
    /// Both ends of a connection.
    private struct Pair: Sendable {
        let ends: [any Channel]
        let isSilent = NIOLockedValueBox(false)
    }

    private let listener: any Channel
    private let pairs: NIOLockedValueBox<[Pair]>

    private init(listener: any Channel, pairs: NIOLockedValueBox<[Pair]>) {
        self.listener = listener
        self.pairs = pairs
    }

    /// Listens on a free port of the loopback interface.
    /// - Parameter socket: the path of PostgreSQL's socket.
    static func start(to socket: String) async throws -> DatabaseProxy {
        let pairs = NIOLockedValueBox<[Pair]>([])
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { near in
                ClientBootstrap(group: near.eventLoop).connect(unixDomainSocketPath: socket).flatMapThrowing { far in
                    let pair = Pair(ends: [near, far])
                    try near.pipeline.syncOperations.addHandler(Relay(to: far, isSilent: pair.isSilent))
                    try far.pipeline.syncOperations.addHandler(Relay(to: near, isSilent: pair.isSilent))
                    pairs.withLockedValue { $0 = $0.filter { $0.ends[0].isActive } + [pair] }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return DatabaseProxy(listener: listener, pairs: pairs)
    }

    /// How a service connects through it.
    var url: String {
        "postgresql://\(PrivateServer.Role.service.rawValue)@127.0.0.1:\(listener.localAddress?.port ?? 0)/"
            + PrivateServer.database
    }

    /// Closes all connections.
    func cut() {
        for end in pairs.withLockedValue({ $0 }).flatMap(\.ends) { end.close(promise: nil) }
    }

    /// Loses the present connections as a firewall does that starts again: each seems open, but nothing passes, nor
    /// its end. New ones work. After a while both ends are closed.
    func silence(for pause: Duration) async throws {
        let silenced = pairs.withLockedValue { $0 }
        for pair in silenced { pair.isSilent.withLockedValue { $0 = true } }
        defer { for end in silenced.flatMap(\.ends) { end.close(promise: nil) } }
        try await Task.sleep(for: pause)
    }

    func stop() async {
        try? await listener.close()
        cut()
    }
}

/// Passes on what one end of a connection receives, and its end.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let isSilent: NIOLockedValueBox<Bool>

    init(to other: any Channel, isSilent: NIOLockedValueBox<Bool>) {
        self.other = other
        self.isSilent = isSilent
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isSilent.withLockedValue({ $0 }) { return }
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isSilent.withLockedValue({ $0 }) { other.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
