import NIOCore
import NIOHTTP1
import NIOPosix

/// Requests on a fixed schedule: a slow answer delays no due time, and the time that a request waits for a free
/// connection counts.
struct OpenLoop: Sendable {
    /// The requests, sent in turn.
    enum Requests: Sendable {
        /// Sightings with these bodies.
        case submissions([String])
        /// These paths.
        case pages([String])

        /// The status of every answer.
        var status: UInt {
            switch self {
            case .submissions: 201
            case .pages: 200
            }
        }
    }

    let port: Int
    let token: String?
    /// Requests a second.
    let rate: Double
    let seconds: Int
    let connections: Int
    let requests: Requests

    /// Sends all of them over one event loop.
    /// - Returns: milliseconds from each request's due time to the end of its answer.
    /// - Throws: ``ProgramError`` when one was answered otherwise than it should be; what broke the connection.
    func run() async throws -> [Double] {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = eventLoop.makePromise(of: [Double].self)
        eventLoop.execute {
            OpenLoopSchedule(self, eventLoop: eventLoop, promise: promise).connect()
        }
        return try await promise.futureResult.get()
    }
}

/// The schedule at work. Everything in it happens on its event loop.
final class OpenLoopSchedule {
    private let plan: OpenLoop
    private let eventLoop: any EventLoop
    private let promise: EventLoopPromise<[Double]>
    private let total: Int
    private var connections: [OpenLoopConnection] = []
    private var idle = CircularBuffer<OpenLoopConnection>()
    /// Due, but no connection is free.
    private var waiting = CircularBuffer<NIODeadline>()
    private var begin = NIODeadline.now()
    private var sent = 0
    private var latencies: [Double] = []
    private var hasFailed = false

    init(_ plan: OpenLoop, eventLoop: any EventLoop, promise: EventLoopPromise<[Double]>) {
        self.plan = plan
        self.eventLoop = eventLoop
        self.promise = promise
        total = Int(plan.rate * Double(plan.seconds))
        latencies.reserveCapacity(total)
    }

    /// Opens the connections, then starts the clock.
    func connect() {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = OpenLoopConnection(bound.value, port: bound.value.plan.port)
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(connection)
                    bound.value.connections.append(connection)
                }
            }
        let channels = (0..<plan.connections).map { _ in bootstrap.connect(host: "127.0.0.1", port: plan.port) }
        EventLoopFuture.whenAllSucceed(channels, on: eventLoop).whenComplete { result in
            switch result {
            case .success: bound.value.start()
            case .failure(let error): bound.value.fail(error)
            }
        }
    }

    private func start() {
        idle.append(contentsOf: connections)
        begin = .now() + .milliseconds(50)
        sendDue()
    }

    private func due(_ number: Int) -> NIODeadline {
        begin + .nanoseconds(Int64(Double(number) / plan.rate * 1e9))
    }

    private func sendDue() {
        guard !hasFailed else { return }
        let now = NIODeadline.now()
        while sent < total, due(sent) <= now {
            if let connection = idle.popFirst() {
                send(on: connection, due: due(sent))
            } else {
                waiting.append(due(sent))
            }
            sent += 1
        }
        guard sent < total else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(deadline: due(sent)) { bound.value.sendDue() }
    }

    private func send(on connection: OpenLoopConnection, due: NIODeadline) {
        connection.send(plan.requests, number: latencies.count, token: plan.token, due: due)
    }

    func answered(_ connection: OpenLoopConnection, status: UInt, due: NIODeadline) {
        guard status == plan.requests.status else {
            return fail(ProgramError(description: "a request was answered \(status)"))
        }
        latencies.append(Double((NIODeadline.now() - due).nanoseconds) / 1e6)
        if let next = waiting.popFirst() { send(on: connection, due: next) } else { idle.append(connection) }
        if latencies.count == total { finish(.success(latencies)) }
    }

    func fail(_ error: any Error) {
        finish(.failure(error))
    }

    private func finish(_ result: Result<[Double], any Error>) {
        guard !hasFailed else { return }
        hasFailed = true
        for connection in connections { connection.close() }
        (connections, idle) = ([], [])
        promise.completeWith(result)
    }
}
