package import Logging
package import NIOCore
import NIOPosix

/// One connection to PostgreSQL that many tasks may use at once.
///
/// It is always in pipeline mode: each statement is sent with its own Sync, so statements of different tasks share
/// round trips and an error stays with the statement that made it. Scripts and COPY wait until nothing else is under
/// way and then have the connection for themselves.
///
/// The actor protects the `PGconn` and the continuations of those who wait for it. It runs on one of the event loops
/// that also serve requests, and the socket's events arrive there: between it and a task of the same loop no thread
/// wakes another. Tasks reach it through a mailbox.
package actor PostgresConnection {
    nonisolated let loop: any EventLoop
    nonisolated let mailbox: Mailbox
    nonisolated let logger: Logger
    /// How long a statement may wait here before it is sent; nil is for ever.
    nonisolated let maximumWait: Duration?
    /// Process id of the server process that serves this connection.
    package nonisolated let backendPID: Int32
    /// Whether the connection is encrypted.
    package nonisolated let usesTLS: Bool

    let handle: LibPQHandle
    var watcher: SocketWatcher?
    var machine: PipelineMachine<PostgresResult>
    var exclusive: ExclusiveSession?
    var queries: [CommandID: QueryContinuation] = [:]
    var exclusivesWaiting: [CommandID: ExclusiveSession] = [:]
    var listeners: [ListenerID: Listener] = [:]
    var idleWaiters: [WaiterID: CheckedContinuation<Bool, Never>] = [:]
    var closeWaiters: [WaiterID: CheckedContinuation<Void, Never>] = [:]
    /// The one timer, for whatever is due first.
    var timer: (due: ContinuousClock.Instant, task: Scheduled<Void>)?
    /// Why the connection has ended; nil while it lives.
    var end: PostgresError?

    /// The connection's event loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    private init(handle: LibPQHandle, configuration: PostgresConfiguration, loop: any EventLoop, logger: Logger) {
        self.loop = loop
        self.logger = logger
        self.handle = handle
        maximumWait = configuration.maximumWait
        mailbox = Mailbox(deadline: configuration.statementDeadline)
        backendPID = handle.backendPID
        usesTLS = handle.usesTLS
        machine = PipelineMachine(statementCapacity: configuration.statementCapacity)
    }

    deinit {
        guard end == nil else { return }
        // An event of the socket may be under way on the loop.
        loop.execute { [watcher, handle] in
            watcher?.cancel()
            handle.finish()
        }
    }

    /// Connects.
    ///
    /// - Parameter loop: what the connection runs on; the next one unless given.
    /// - Throws: what the configuration's check throws; ``PostgresError/Kind/connectionFailed``,
    ///   ``PostgresError/Kind/timeout`` after the configuration's connect timeout, or ``PostgresError/Kind/cancelled``.
    package static func connect(
        _ configuration: PostgresConfiguration, on loop: (any EventLoop)? = nil, logger: Logger
    ) async throws(PostgresError) -> PostgresConnection {
        let handle = try await ConnectionAttempt.connectToAny(configuration, logger: logger)
        let connection = PostgresConnection(
            handle: handle, configuration: configuration, loop: loop ?? MultiThreadedEventLoopGroup.singleton.next(),
            logger: logger)
        try await connection.start()
        do throws(PostgresError) {
            try await configuration.check?(connection)
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private func start() throws(PostgresError) {
        watcher = SocketWatcher(
            socket: handle.socket, execute: loop.execute,
            onReadable: { [weak self] in self?.assumeIsolated { $0.socketIsReadable() } },
            onWritable: { [weak self] in self?.assumeIsolated { $0.socketIsWritable() } })
        guard watcher != nil else {
            handle.finish()
            throw PostgresError(.connectionFailed, "there is no file descriptor left", wasSent: false)
        }
        watcher?.watchReading(true)
        if usesTLS { scheduleWatchdog() }
    }

    /// Whether the connection has ended, for whatever reason.
    package nonisolated var isClosed: Bool { mailbox.isClosed }

    /// Statements asked for and not yet answered.
    package nonisolated var load: Int { mailbox.load }

    /// Closes the connection at once. What is waiting or under way fails with ``PostgresError/Kind/closed``.
    package nonisolated func close() async {
        post(.close)
        await waitUntilClosed()
    }

    /// The session's transaction, as of the last answer.
    package var transactionStatus: TransactionStatus { end == nil ? handle.transactionStatus : .idle }

    /// Returns when the connection has ended, or the task is cancelled.
    nonisolated func waitUntilClosed() async {
        let id = mailbox.makeID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post(.whenClosed(id, continuation))
                if Task.isCancelled { post(.stopWaiting(id)) }
            }
        } onCancel: {
            post(.stopWaiting(id))
        }
    }

    /// Waits until nothing is under way, whether or not the task is cancelled. False: it took longer than `limit`.
    nonisolated func waitUntilIdle(atMost limit: Duration) async -> Bool {
        let id = mailbox.makeID()
        return await withCheckedContinuation { continuation in
            post(.whenIdle(id, continuation))
            loop.execute(after: limit) { [weak self] in self?.post(.stopWaiting(id)) }
        }
    }

    nonisolated func post(_ message: Message) {
        guard mailbox.post(message) else { return }
        loop.execute { self.assumeIsolated { $0.readMailbox() } }
    }
}
