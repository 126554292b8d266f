/// Which kind of container a path is.
package enum ContainerKind: String, Sendable {
    /// One plain file.
    case plainFile
    /// One file compressed with gzip.
    case gzip
    /// A zip archive.
    case zip
    /// A tar archive, compressed with gzip or not.
    case tar
    /// A folder.
    case directory

    /// Decides by content, not by name: a folder; `PK` (zip); gzip's magic number, within it `ustar` at
    /// byte 257 (a tar) or not; `ustar` itself. A tar older than `ustar` is known by its name alone (`.tgz`, `.tar`,
    /// `.tar.gz`).
    ///
    /// - Throws: `FileError`, `ArchiveError`.
    package init(path: String, limits: ArchiveLimits = .init()) throws {
        let status = try FileStatus(path: path)
        guard status.kind != .directory else {
            self = .directory
            return
        }
        let start = try FileByteSource(path: path).readBytes(upTo: 512)
        let isNamedTar = [".tgz", ".tar", ".tar.gz"].contains { path.lowercased().hasSuffix($0) }
        if start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            self = .zip
        } else if start.starts(with: [0x1F, 0x8B]) {
            let container = SingleFileContainer(path: path, isGzip: true, limits: limits)
            let inner = try container.open(container.files[0].name).readBytes(upTo: 512)
            self = isNamedTar || Self.isTar(inner) ? .tar : .gzip
        } else {
            self = isNamedTar || Self.isTar(start) ? .tar : .plainFile
        }
    }

    /// Opens `path` as a container of this kind.
    ///
    /// - Throws: `FileError`, `ArchiveError`.
    package func open(_ path: String, limits: ArchiveLimits = .init()) throws -> any FileContainer {
        switch self {
        case .plainFile: SingleFileContainer(path: path, isGzip: false, limits: limits)
        case .gzip: SingleFileContainer(path: path, isGzip: true, limits: limits)
        case .zip: try ArchiveContainer(path: path, kind: .zip, limits: limits)
        case .tar: try ArchiveContainer(path: path, kind: .tar, limits: limits)
        case .directory: try DirectoryContainer(path: path, limits: limits)
        }
    }

    private static func isTar(_ start: [UInt8]) -> Bool {
        start.count >= 262 && Array(start[257..<262]) == Array("ustar".utf8)
    }
}
