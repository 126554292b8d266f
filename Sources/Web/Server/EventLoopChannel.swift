import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// HTTP/1.1 with limits of connections. Requests are handled on the event loop of their connection.
///
/// Left to themselves tasks run on the threads of Swift's global pool, so that every read, every write and every answer
/// of the log crosses from one thread to another. Handlers never block, so they need not leave the loop.
struct EventLoopChannel: ServerChildChannel {
    private let http: HTTP1Channel
    private let connections: ConnectionLimit
    private let limits: ConnectionLimits
    private let images: RoutePaths
    private let executors = EventLoopExecutors()

    /// - Parameter images: the routes that take an image.
    init(_ http: HTTP1Channel, _ limits: ConnectionLimits, _ images: RoutePaths) {
        self.http = http
        self.images = images
        self.limits = limits
        connections = ConnectionLimit(perClient: limits.perClient, most: limits.most)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        guard connections.admits(channel, logger) else {
            return channel.close().flatMapThrowing { throw TooManyConnections() }
        }
        return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(
                RequestGuard(bodyDeadline: limits.bodyDeadline, images: images), position: .after(decoder))
            try pipeline.addHandler(StalledClients(period: limits.stall), position: .first)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(executors[value.channel.eventLoop]) {
            await http.handle(value: value, logger: logger)
        }
    }
}

/// The executor of each event loop, made when it is first asked for.
private final class EventLoopExecutors: Sendable {
    private let known = NIOLockedValueBox<[ObjectIdentifier: EventLoopExecutor]>([:])

    subscript(loop: any EventLoop) -> EventLoopExecutor {
        known.withLockedValue { known in
            let executor = known[ObjectIdentifier(loop)] ?? EventLoopExecutor(loop)
            known[ObjectIdentifier(loop)] = executor
            return executor
        }
    }
}

/// Runs tasks on an event loop.
private final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
