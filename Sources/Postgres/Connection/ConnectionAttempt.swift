import Logging
import NIOConcurrencyHelpers

/// One attempt to connect, on a queue of its own: libpq resolves names with a call that blocks.
///
/// The actor protects the handle and the sources while libpq negotiates. The caller waits on a continuation outside it,
/// so that a time limit or a cancellation is heard even while a name server is not.
actor ConnectionAttempt {
    private typealias Answer = OnceContinuation<Result<LibPQHandle, PostgresError>>

    private nonisolated let executor = QueueExecutor(label: "postgres.connect")
    private let configuration: PostgresConfiguration
    private let logger: Logger
    private let answer: Answer
    private var handle: LibPQHandle?
    private var watcher: SocketWatcher?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(_ configuration: PostgresConfiguration, _ logger: Logger, _ answer: Answer) {
        self.configuration = configuration
        self.logger = logger
        self.answer = answer
    }

    /// Tries one host after the other, each for its share of the time that is left: libpq leaves a host that says
    /// nothing only where it blocks. Its `prefer-standby` needs all hosts at once.
    static func connectToAny(
        _ configuration: PostgresConfiguration, logger: Logger
    ) async throws(PostgresError) -> LibPQHandle {
        guard configuration.host.contains(","), configuration.value("target_session_attrs") != "prefer-standby" else {
            return try await connect(configuration, logger: logger)
        }
        let hosts = try configuration.hosts()
        let deadline = ContinuousClock.now + configuration.connectTimeout
        var failures: [PostgresError] = []
        for (index, host) in hosts.enumerated() {
            var host = host
            host.connectTimeout = ContinuousClock.now.duration(to: deadline) / (hosts.count - index)
            do throws(PostgresError) {
                return try await connect(host, logger: logger)
            } catch {
                if error.kind == .cancelled { throw error }
                failures.append(error)
            }
        }
        throw PostgresError(
            .connectionFailed, failures.map(\.message).joined(separator: "; "), wasSent: false)
    }

    private static func connect(
        _ configuration: PostgresConfiguration, logger: Logger
    ) async throws(PostgresError) -> LibPQHandle {
        let answer = Answer()
        let attempt = ConnectionAttempt(configuration, logger, answer)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                attempt.start()
                if Task.isCancelled { attempt.abandon(.cancelled, "the task was cancelled") }
            }
        } onCancel: {
            attempt.abandon(.cancelled, "the task was cancelled")
        }
        return try result.get()
    }

    private nonisolated func start() {
        EventLoops.execute(at: .now + configuration.connectTimeout) {
            [weak self, time = configuration.connectTimeout] in
            self?.abandon(.timeout, "connecting took longer than \(time)")
        }
        executor.execute { self.assumeIsolated { $0.open() } }
    }

    /// Answers the caller now; the attempt is cleaned up when its queue is free.
    private nonisolated func abandon(_ kind: PostgresError.Kind, _ reason: String) {
        guard answer.resume(.failure(PostgresError(kind, reason, wasSent: false))) else { return }
        executor.execute { self.assumeIsolated { $0.cleanUp() } }
    }

    private func open() {
        guard !answer.isAnswered else { return }
        let handle = LibPQHandle(parameters: configuration.connectionParameters, logger: logger)
        self.handle = handle
        guard !handle.isBroken else { return fail(handle.errorMessage) }
        wait(toWrite: true)
    }

    private func poll() {
        // libpq may close its socket and open another one now.
        watcher?.cancel()
        watcher = nil
        guard let handle, !answer.isAnswered else { return cleanUp() }
        switch handle.pollConnect() {
        case .waitToRead: wait(toWrite: false)
        case .waitToWrite: wait(toWrite: true)
        case .connected: succeed(handle)
        case .failed: fail(handle.errorMessage)
        }
    }

    private func wait(toWrite: Bool) {
        guard let socket = handle?.socket, socket >= 0 else { return fail("there is no socket") }
        let ready: @Sendable () -> Void = { self.assumeIsolated { $0.poll() } }
        watcher = SocketWatcher(socket: socket, execute: executor.execute, onReadable: ready, onWritable: ready)
        guard let watcher else { return fail("there is no file descriptor left") }
        if toWrite { watcher.watchWriting(true) } else { watcher.watchReading(true) }
    }

    private func succeed(_ handle: LibPQHandle) {
        guard handle.prepareForUse() else { return fail(handle.errorMessage) }
        // From here on the handle belongs to the caller, unless the caller no longer waits.
        if answer.resume(.success(handle)) { self.handle = nil } else { cleanUp() }
    }

    private func fail(_ reason: String) {
        _ = answer.resume(.failure(PostgresError(.connectionFailed, reason, wasSent: false)))
        cleanUp()
    }

    private func cleanUp() {
        watcher?.cancel()
        watcher = nil
        handle?.finish()
        handle = nil
    }
}

/// A continuation that several may want to resume: the first wins.
final class OnceContinuation<Value: Sendable>: Sendable {
    private enum State {
        case fresh
        case waiting(CheckedContinuation<Value, Never>)
        case answered
    }

    private let state = NIOLockedValueBox(State.fresh)

    var isAnswered: Bool {
        state.withLockedValue {
            if case .answered = $0 { true } else { false }
        }
    }

    /// To be called once, before any waiter resumes.
    func wait(_ continuation: CheckedContinuation<Value, Never>) {
        state.withLockedValue { $0 = .waiting(continuation) }
    }

    /// False when there was an answer already.
    func resume(_ value: Value) -> Bool {
        let continuation: CheckedContinuation<Value, Never>? = state.withLockedValue { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = .answered
            return continuation
        }
        continuation?.resume(returning: value)
        return continuation != nil
    }
}
