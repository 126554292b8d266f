internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The one file that waits: tells a queue when a socket can be read or written.
///
/// The sources watch a `dup` of libpq's socket, which is closed when both have been cancelled: libpq may close its own
/// descriptor at any time and the number may be given to another file at once.
///
/// `@unchecked Sendable`: used on `queue` alone (made, armed and cancelled there), or in `deinit`, when nobody else
/// can.
final class SocketWatcher: @unchecked Sendable {
    private let descriptor: Int32
    private let reading: any DispatchSourceRead
    private let writing: any DispatchSourceWrite
    private var readingIsArmed = false
    private var writingIsArmed = false
    private var isCancelled = false

    /// Nil when the system has no descriptor left.
    init?(
        socket: Int32, queue: DispatchQueue,
        onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
    ) {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        let users = DispatchGroup()
        users.enter()
        users.enter()
        reading.setEventHandler(handler: onReadable)
        writing.setEventHandler(handler: onWritable)
        reading.setCancelHandler { users.leave() }
        writing.setCancelHandler { users.leave() }
        users.notify(queue: queue) { close(descriptor) }
    }

    deinit {
        cancel()
    }

    /// Whether to be told when there is something to read.
    func watchReading(_ wanted: Bool) {
        guard wanted != readingIsArmed, !isCancelled else { return }
        readingIsArmed = wanted
        if wanted { reading.resume() } else { reading.suspend() }
    }

    /// Whether to be told when there is room to write.
    func watchWriting(_ wanted: Bool) {
        guard wanted != writingIsArmed, !isCancelled else { return }
        writingIsArmed = wanted
        if wanted { writing.resume() } else { writing.suspend() }
    }

    /// Whether the other side has closed the socket, asked when there is reason to think so.
    ///
    /// On Linux dispatch tells of a hang-up once and then forgets the socket, whether or not all has been read: whoever
    /// is told must read to the end.
    var isHungUp: Bool {
        guard !isCancelled, reading.data == 0 else { return false }
        var question = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&question, 1, 0) == 1 && Int32(question.revents) & (Int32(POLLHUP) | Int32(POLLERR)) != 0
    }

    /// Stops for good. A suspended source never gets to its cancel handler, so both are resumed.
    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        reading.cancel()
        writing.cancel()
        if !readingIsArmed { reading.resume() }
        if !writingIsArmed { writing.resume() }
    }
}
