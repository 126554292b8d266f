import Glibc

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

/// The kind and size of what is at a path.
struct FileStatus {
    enum Kind {
        case regular, directory, other
    }

    let kind: Kind
    /// Size in bytes; meaningful for regular files.
    let size: Int

    /// Looks at `path`. With `followingLinks` false a symbolic link is `.other`, whatever it points to.
    ///
    /// - Throws: `FileError.cannotOpen` when there is nothing, or no right to look.
    init(path: String, followingLinks: Bool = true) throws {
        var status = stat()
        let result = followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw FileError.cannotOpen(path: path, code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        size = Int(status.st_size)
    }
}

/// A file that cannot be opened, read or written. `code` is the system's errno.
package enum FileError: Error, Equatable, CustomStringConvertible {
    /// The file could not be opened.
    case cannotOpen(path: String, code: Int32)
    /// The path is no regular file (a device, a pipe, a socket, or a folder where a file is wanted): it cannot be
    /// read twice.
    case notRegular(path: String)
    /// The folder's files could not be listed.
    case unlistable(path: String)
    /// Reading failed half way.
    case cannotRead(path: String, code: Int32)
    /// Writing failed, or the data written could not be brought to disk.
    case cannotWrite(path: String, code: Int32)

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .cannotOpen(let path, let code): "cannot open \(path): \(Self.meaning(of: code))"
        case .notRegular(let path): "\(path) is not a regular file"
        case .unlistable(let path): "cannot list the folder \(path)"
        case .cannotRead(let path, let code): "cannot read \(path): \(Self.meaning(of: code))"
        case .cannotWrite(let path, let code): "cannot write \(path): \(Self.meaning(of: code))"
        }
    }

    private static func meaning(of code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
