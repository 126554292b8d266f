import Glibc

/// A file being written, gathered into buffers of 64 KiB.
///
/// What was written counts only after `close()` has returned: a full disk may show itself as late as that.
package final class FileByteSink {
    private static let flushSize = 64 * 1024

    private let path: String
    private var descriptor: Int32?
    private var pending: [UInt8] = []

    /// Creates `path`, or empties it when it exists. Readable by its owner only, for it may hold private records.
    ///
    /// - Throws: `FileError.cannotOpen`.
    package init(creating path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError.cannotOpen(path: path, code: errno) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        if let descriptor { systemClose(descriptor) }
    }

    /// Takes the bytes that `body` appends to the buffer, and writes the buffer when it is full.
    ///
    /// - Throws: `FileError.cannotWrite`.
    package func append(_ body: (inout [UInt8]) -> Void) throws {
        body(&pending)
        if pending.count >= Self.flushSize { try flush() }
    }

    /// Writes what is buffered and closes the file; a second call does nothing.
    ///
    /// - Throws: `FileError.cannotWrite`.
    package func close() throws {
        guard let descriptor else { return }
        try flush()
        self.descriptor = nil
        guard systemClose(descriptor) == 0 else { throw FileError.cannotWrite(path: path, code: errno) }
    }

    private func flush() throws {
        guard let descriptor else { throw FileError.cannotWrite(path: path, code: EBADF) }
        var written = 0
        while written < pending.count {
            let count = pending[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileError.cannotWrite(path: path, code: errno) }
            written += count
        }
        pending.removeAll(keepingCapacity: true)
    }
}

/// `close(2)`, which the method of the same name hides inside the class.
@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}
