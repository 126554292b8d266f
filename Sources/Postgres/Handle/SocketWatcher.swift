import CLibPQ
import Dispatch
import Glibc
import NIOConcurrencyHelpers

/// The one file that waits: notifies its owner when a socket can be read or written.
///
/// It watches a `dup` of libpq's socket: libpq may close its own descriptor at any time, and the number may then be
/// another file's.
///
/// `@unchecked Sendable`: made, armed and cancelled by its owner alone, one call after another, or in `deinit`, when no
/// other code can.
final class SocketWatcher: @unchecked Sendable {
    private let poll: SocketPoll
    private let descriptor: Int32
    private var token: UInt64?
    private let onReadable: @Sendable () -> Void
    private let onWritable: @Sendable () -> Void
    private var wantsReading = false
    private var wantsWriting = false
    private var isTelling = false

    /// Nil when the system has no descriptor left.
    /// - Parameter execute: runs work where the watcher is used.
    init?(
        socket: Int32, execute: @escaping SocketPoll.Execute,
        onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
    ) {
        guard let poll = SocketPoll.shared else { return nil }
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        (self.poll, self.descriptor, self.onReadable, self.onWritable) = (poll, descriptor, onReadable, onWritable)
        token = poll.add(descriptor, execute: execute) { [weak self] events in self?.tell(events) }
        guard token != nil else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        cancel()
    }

    /// Whether to be told when there is something to read.
    func watchReading(_ wanted: Bool) {
        guard wanted != wantsReading else { return }
        wantsReading = wanted
        if wanted { arm() }
    }

    /// Whether to be told when there is room to write.
    func watchWriting(_ wanted: Bool) {
        guard wanted != wantsWriting else { return }
        wantsWriting = wanted
        if wanted { arm() }
    }

    private func arm() {
        guard let token, !isTelling, wantsReading || wantsWriting else { return }
        poll.arm(descriptor, token, reading: wantsReading, writing: wantsWriting)
    }

    /// A hang-up and an error are reported as both, so the next read or write fails with them.
    private func tell(_ events: UInt32) {
        let broken = EPOLLHUP.rawValue | EPOLLERR.rawValue
        isTelling = true
        if token != nil, wantsReading, events & (EPOLLIN.rawValue | broken) != 0 { onReadable() }
        if token != nil, wantsWriting, events & (EPOLLOUT.rawValue | broken) != 0 { onWritable() }
        isTelling = false
        arm()
    }

    /// Whether the other side has closed the socket and nothing is left to read.
    var isHungUp: Bool {
        guard token != nil else { return false }
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&question, 1, 0) == 1 else { return false }
        return Int32(question.revents) & (Int32(POLLHUP) | Int32(POLLERR)) != 0
    }

    /// Stops permanently.
    func cancel() {
        guard let token else { return }
        self.token = nil
        poll.remove(descriptor, token)
        close(descriptor)
    }
}

/// One thread that waits for all sockets of the process, and notifies each one's owner.
///
/// Dispatch's own sources are not used on Linux: when a socket hangs up while its source is being cancelled, both
/// take it off, and libdispatch traps. A server that goes away does that to many at once.
final class SocketPoll: Sendable {
    /// The process's only one; nil when the system has no descriptor left.
    static let shared = SocketPoll()

    /// Runs work in the owner's execution context, soon.
    typealias Execute = @Sendable (@escaping @Sendable () -> Void) -> Void

    private struct Entry {
        let execute: Execute
        let onEvent: @Sendable (UInt32) -> Void
    }

    private struct Entries {
        var next: UInt64 = 1
        var byToken: [UInt64: Entry] = [:]
    }

    private let epoll: Int32
    private let entries = NIOLockedValueBox(Entries())

    private init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return nil }
        let thread = DispatchQueue(label: "skein.postgres.sockets", qos: .userInitiated)
        thread.async { [self] in wait() }
    }

    /// Adds a descriptor, which gets no events until it is armed.
    /// - Parameter onEvent: called through `execute` with the `EPOLL…` bits that happened; then it is disarmed.
    /// - Returns: its token; nil when the system call fails.
    func add(
        _ descriptor: Int32, execute: @escaping Execute, onEvent: @escaping @Sendable (UInt32) -> Void
    ) -> UInt64? {
        let token = entries.withLockedValue { entries -> UInt64 in
            defer { entries.next += 1 }
            entries.byToken[entries.next] = Entry(execute: execute, onEvent: onEvent)
            return entries.next
        }
        guard control(EPOLL_CTL_ADD, descriptor, token, Self.once) else {
            _ = entries.withLockedValue { $0.byToken.removeValue(forKey: token) }
            return nil
        }
        return token
    }

    /// Reports the next event among those wanted, once.
    func arm(_ descriptor: Int32, _ token: UInt64, reading: Bool, writing: Bool) {
        let wanted = (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
        _ = control(EPOLL_CTL_MOD, descriptor, token, wanted | Self.once)
    }

    /// Lets a descriptor go. To be called before it is closed.
    func remove(_ descriptor: Int32, _ token: UInt64) {
        _ = control(EPOLL_CTL_DEL, descriptor, token, 0)
        _ = entries.withLockedValue { $0.byToken.removeValue(forKey: token) }
    }

    private static let once = EPOLLONESHOT.rawValue

    private func control(_ operation: Int32, _ descriptor: Int32, _ token: UInt64, _ events: UInt32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.u64 = token
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    private func wait() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), -1)
            for event in events.prefix(Int(max(0, count))) {
                let (token, bits) = (event.data.u64, event.events)
                guard let entry = entries.withLockedValue({ $0.byToken[token] }) else { continue }
                entry.execute { entry.onEvent(bits) }
            }
        }
    }
}
