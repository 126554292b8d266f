import Glibc

/// Distinguishes a file from another one at the same path, and from itself after a change: by device, inode, size and
/// modification time; a folder by those of its files.
package struct FileIdentity: Hashable, Sendable {
    private struct Entry: Hashable {
        let name: String
        let device: UInt64
        let inode: UInt64
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private let entries: [Entry]

    /// Looks up the file or folder at `path`.
    ///
    /// - Throws: `FileError`; `ArchiveError` for a folder with too many files.
    package init(path: String) throws {
        guard try FileStatus(path: path).kind == .directory else {
            entries = [try Self.entry("", path)]
            return
        }
        let folder = try DirectoryContainer(path: path, limits: ArchiveLimits())
        entries = try folder.files.map { try Self.entry($0.name, "\(path)/\($0.name)") }
    }

    private static func entry(_ name: String, _ path: String) throws -> Entry {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.cannotOpen(path: path, code: errno) }
        return Entry(
            name: name, device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int(status.st_size),
            seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
    }
}
