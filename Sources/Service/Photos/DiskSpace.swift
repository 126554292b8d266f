import Glibc

/// The free space of the file systems that photos are written to, of which some is kept in reserve: the database may be
/// on the same disk.
package struct DiskSpace: Sendable {
    /// Less space is free than the reserve.
    package struct Rejection: Error, CustomStringConvertible {
        package let description = "less disk space is free than SKEIN_DISK_RESERVE"
    }

    /// Looks up the bytes that are free for ordinary users in the file system of a path; nil if that fails.
    package typealias Lookup = @Sendable (_ path: String) -> Int?

    private let reserve: Int?
    private let folders: [String]
    private let look: Lookup

    /// - Parameters:
    ///   - folders: those that photos are written to; they may not exist yet.
    ///   - reserve: bytes that photos must leave free; nil for none.
    package init(of folders: [String], reserve: Int? = nil, look: @escaping Lookup = DiskSpace.freeBytes) {
        (self.folders, self.reserve, self.look) = (folders, reserve, look)
    }

    /// The state at one moment.
    package struct State: Hashable, Sendable {
        /// The free bytes of the fullest file system; nil if they are unknown.
        package let free: Int?
        /// Bytes that photos must leave free; nil for none.
        package let reserve: Int?

        /// Whether photos are rejected.
        package var isLow: Bool {
            guard let reserve, let free else { return false }
            return free < reserve
        }
    }

    package var state: State { State(free: folders.compactMap(look).min(), reserve: reserve) }

    /// - Throws: ``Rejection``.
    func check() throws(Rejection) {
        if state.isLow { throw Rejection() }
    }

    /// Asks the file system of a path, or of the nearest folder above that exists.
    package static func freeBytes(at path: String) -> Int? {
        var path = path
        var status = statvfs()
        while statvfs(path, &status) != 0 {
            guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }
}
