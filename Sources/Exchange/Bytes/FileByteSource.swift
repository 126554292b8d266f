internal import Glibc

/// The bytes of a regular file.
package final class FileByteSource: ByteSource {
    private let path: String
    private let descriptor: Int32
    private let size: Int
    private var consumed = 0

    /// Opens `path` for reading.
    ///
    /// - Throws: `FileError.cannotOpen`, or `.notRegular` for anything that cannot be read twice.
    package init(path: String) throws {
        // A pipe's open would wait for its writer without O_NONBLOCK; a regular file ignores the flag.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError.cannotOpen(path: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError.notRegular(path: path)
        }
        self.path = path
        self.descriptor = descriptor
        self.size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Bytes served so far.
    package var progress: ByteProgress { .init(consumed: consumed, total: size) }

    /// The next bytes; 0 at the end.
    ///
    /// - Throws: `FileError.cannotRead`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 {
                consumed += count
                return count
            }
            guard errno == EINTR else { throw FileError.cannotRead(path: path, code: errno) }
        }
    }
}

/// `read(2)`, which the method of the same name hides inside the class.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
