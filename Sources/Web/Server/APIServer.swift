import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens, and hands requests to the API, until it is told to stop.
///
/// On a graceful shutdown it stops listening, lets the requests in flight finish, and closes each connection after its
/// answer. How long it waits for them is the service group's `maximumGracefulShutdownDuration`.
package struct APIServer: ServiceLifecycle.Service {
    private let application: Application<RouteResponder>
    private let address: ListenAddress

    /// - Parameter onListening: called with the port, once connections are taken.
    package init(
        _ responder: RouteResponder, _ address: ListenAddress,
        limits: ConnectionLimits = ConnectionLimits(), logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.address = address
        application = Application(
            responder: responder,
            server: HTTPServerBuilder {
                EventLoopChannel(HTTP1Channel(responder: $0, configuration: Self.http), limits, responder.images)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), backlog: 1024),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? address.port) },
            logger: logger)
    }

    /// Serves until the task is cancelled or the process is told to end, and finishes the requests in hand.
    /// - Throws: ``ListenError`` for an address that cannot be listened on.
    package func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            throw ListenError(address, error)
        }
    }

    /// A client that is silent for a minute has gone, and no request needs headers of more than 32 KiB.
    private static let http = HTTP1Channel.Configuration(
        idleTimeout: .seconds(60),
        httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100))
}

/// How many connections there may be, and how long clients may take.
package struct ConnectionLimits: Sendable {
    /// Connections of one client; nil for no limit, as behind proxies, through which all clients come.
    package var perClient: Int?
    /// Connections of all clients.
    package var most: Int
    /// How long a request's body may take to arrive.
    package var bodyDeadline: TimeAmount
    /// The time in which a client must take 16 KiB of a response that waits for it.
    package var stall: TimeAmount

    package init(
        perClient: Int? = nil, most: Int = .max, bodyDeadline: TimeAmount = .seconds(60),
        stall: TimeAmount = .seconds(20)
    ) {
        self.perClient = perClient
        self.most = most
        self.bodyDeadline = bodyDeadline
        self.stall = stall
    }
}
