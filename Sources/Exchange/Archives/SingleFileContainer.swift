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
