internal import CLibPQ
internal import Dispatch
internal import Glibc

/// The one file that waits: notifies a queue when a socket can be read or written.
///
/// It watches a `dup` of libpq's socket: libpq may close its own descriptor at any time, and the number may then be
/// another file's.
///
/// `@unchecked Sendable`: used on `queue` alone (made, armed and cancelled there), or in `deinit`, when no other code
/// can.
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
    init?(
        socket: Int32, queue: DispatchQueue,
        onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
    ) {
        guard let poll = SocketPoll.shared else { return nil }
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        (self.poll, self.descriptor, self.onReadable, self.onWritable) = (poll, descriptor, onReadable, onWritable)
        token = poll.add(descriptor, queue: queue) { [weak self] events in self?.tell(events) }
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

    /// A hang-up and an error are told as both: whoever reads or writes then meets them.
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
