/// A file with a name inside a container.
package struct ContainedFile: Sendable, Equatable {
    /// Name relative to the container, with `/` between its parts.
    package let name: String
    /// Expanded size in bytes, where the container states it: a claim, good for a progress bar at most.
    package let statedSize: Int?
}

/// A set of named files: a folder, a zip, a tar, or a single file.
package protocol FileContainer: Sendable {
    /// Where the container is, for messages.
    var path: String { get }

    /// The files in it, sorted by name, without those that `EntryName` leaves out.
    var files: [ContainedFile] { get }

    /// Opens the file called `name`, as `files` has it. May be called any number of times; every source starts at
    /// the beginning.
    ///
    /// - Throws: `ArchiveError.missingEntry`, and what reading throws.
    func open(_ name: String) throws -> any ByteSource

    /// Bytes on disk that reading the file called `name` goes through, as its progress counts them.
    func readingSize(of name: String) -> Int
}

extension FileContainer {
    /// The size of the container's own file.
    package func readingSize(of name: String) -> Int {
        (try? FileStatus(path: path).size) ?? 0
    }

    /// The whole of a small file.
    ///
    /// - Throws: `ArchiveError.entryTooLarge` beyond `limit` bytes, and what `open` and reading throw.
    package func contents(of name: String, limit: Int) throws -> [UInt8] {
        let bytes = try open(name).readBytes(upTo: limit + 1)
        guard bytes.count <= limit else { throw ArchiveError.entryTooLarge(path: path, name: name, limit: limit) }
        return bytes
    }
}

/// One file, plain or compressed with gzip, as a set of one.
struct SingleFileContainer: FileContainer {
    let path: String
    let files: [ContainedFile]
    private let isGzip: Bool
    private let limits: ArchiveLimits

    /// The file at `path`, expanded on the fly when `isGzip`. Its name in the set is its last path component, without
    /// `.gz`.
    init(path: String, isGzip: Bool, limits: ArchiveLimits) {
        (self.path, self.isGzip, self.limits) = (path, isGzip, limits)
        let last = path.split(separator: "/").last.map(String.init) ?? path
        let name = isGzip && last.lowercased().hasSuffix(".gz") ? String(last.dropLast(3)) : last
        files = [ContainedFile(name: name, statedSize: nil)]
    }

    func open(_ name: String) throws -> any ByteSource {
        guard files.first?.name == name else { throw ArchiveError.missingEntry(path: path, name: name) }
        return isGzip ? try GzipByteSource(path: path, limits: limits) : try FileByteSource(path: path)
    }
}
