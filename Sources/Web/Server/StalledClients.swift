import NIOCore

/// Closes a connection whose client does not read, because unsent data stays in memory.
///
/// While too much is waiting to be sent, the connection is checked periodically; a client that has read too little
/// since the last check is disconnected.
final class StalledClients: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Bytes that a client must take in a period.
    private static let least = 16 * 1024

    private let period: TimeAmount
    /// Bytes that the connection was given to send.
    private var given = 0
    /// Bytes of them that it had sent at the last check.
    private var sent = 0
    private var look: Scheduled<Void>?

    init(period: TimeAmount) {
        self.period = period
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        given += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            look?.cancel()
            look = nil
        } else if look == nil {
            sent = given - buffered(context)
            schedule(context)
        }
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        look?.cancel()
    }

    private func schedule(_ context: ChannelHandlerContext) {
        look = context.eventLoop.assumeIsolated().scheduleTask(in: period) {
            let now = self.given - self.buffered(context)
            guard now - self.sent >= Self.least else { return context.close(promise: nil) }
            self.sent = now
            self.schedule(context)
        }
    }

    private func buffered(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
