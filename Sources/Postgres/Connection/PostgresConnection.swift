internal import Dispatch
package import Logging

/// One connection to PostgreSQL that many tasks may use at once.
///
/// It is always in pipeline mode: each statement is sent with its own Sync, so statements of different tasks share
/// round trips and an error stays with the statement that made it. Scripts and COPY wait until nothing else is under
/// way and then have the connection for themselves.
///
/// The actor protects the `PGconn` and the continuations of those who wait for it. It runs on a serial queue of its
/// own, where the socket's events arrive as well; tasks reach it through a mailbox.
package actor PostgresConnection {
    nonisolated let executor: QueueExecutor
    nonisolated let mailbox = Mailbox()
    nonisolated let logger: Logger
    /// How long a statement may wait here before it is sent; nil is for ever.
    nonisolated let maximumWait: Duration?
    /// Process id of the server process that serves this connection.
    package nonisolated let backendPID: Int32
    /// Version of the server, 150020 for 15.20.
    package nonisolated let serverVersion: Int
    /// Whether the connection is encrypted.
    package nonisolated let usesTLS: Bool

    let handle: LibPQHandle
    var watcher: SocketWatcher?
    var machine: PipelineMachine<PostgresResult>
    var exclusive: ExclusiveSession?
    var queries: [CommandID: QueryContinuation] = [:]
    var exclusivesWaiting: [CommandID: ExclusiveWork] = [:]
    var listeners: [ListenerID: Listener] = [:]
    var idleWaiters: [WaiterID: CheckedContinuation<Bool, Never>] = [:]
    var closeWaiters: [WaiterID: CheckedContinuation<Void, Never>] = [:]
    var deadlineTimer: ContinuousClock.Instant?
    /// Why the connection has ended; nil while it lives.
    var end: PostgresError?

    /// The connection's queue.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(handle: LibPQHandle, configuration: PostgresConfiguration, executor: QueueExecutor, logger: Logger) {
        self.executor = executor
        self.logger = logger
        self.handle = handle
        maximumWait = configuration.maximumWait
        backendPID = handle.backendPID
        serverVersion = Int(handle.serverVersion)
        usesTLS = handle.usesTLS
        machine = PipelineMachine(statementCapacity: configuration.statementCapacity)
    }

    deinit {
        watcher?.cancel()
        handle.finish()
    }

    /// Connects.
    ///
    /// - Parameter executor: what the connection runs on; one of its own unless given.
    /// - Throws: ``PostgresError/Kind/connectionFailed``, ``PostgresError/Kind/timeout`` after the configuration's
    ///   connect timeout, or ``PostgresError/Kind/cancelled``.
    package static func connect(
        _ configuration: PostgresConfiguration, on executor: QueueExecutor? = nil, logger: Logger
    ) async throws(PostgresError) -> PostgresConnection {
        let handle = try await ConnectionAttempt.connect(configuration, logger: logger)
        let connection = PostgresConnection(
            handle: handle, configuration: configuration,
            executor: executor ?? QueueExecutor(label: "postgres.connection"), logger: logger)
        try await connection.start()
        return connection
    }

    private func start() throws(PostgresError) {
        watcher = SocketWatcher(
            socket: handle.socket, queue: executor.queue,
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
            executor.queue.asyncAfter(deadline: .now() + limit.dispatchInterval) { [weak self] in
                self?.post(.stopWaiting(id))
            }
        }
    }

    nonisolated func post(_ message: Message) {
        guard mailbox.post(message) else { return }
        executor.queue.async { self.assumeIsolated { $0.readMailbox() } }
    }
}

extension Duration {
    /// For dispatch timers; anything longer than a century counts as one.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(clamping: min(seconds, 3_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
