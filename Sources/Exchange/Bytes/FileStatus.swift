internal import Glibc

/// What stands at a path.
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
