internal import Glibc

/// A file that cannot be opened, read or written. `code` is the system's errno.
package enum FileError: Error, Equatable, CustomStringConvertible {
    /// The file could not be opened.
    case cannotOpen(path: String, code: Int32)
    /// What is there is no regular file (a device, a pipe, a socket, or a folder where a file is wanted): it cannot be
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
