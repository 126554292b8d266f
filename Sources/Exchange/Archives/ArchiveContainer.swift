/// A zip or a tar (compressed with gzip or not) as a set of files.
///
/// Opening a file goes through the archive from its start, for tar that means expanding all that comes before it.
struct ArchiveContainer: FileContainer {
    let path: String
    let files: [ContainedFile]
    private let kind: ArchiveStream.Kind
    private let limits: ArchiveLimits

    /// Lists the archive at `path`. A tar is read to its end for that, which also proves that it is whole.
    ///
    /// - Throws: `ArchiveError`, `FileError`.
    init(path: String, kind: ArchiveStream.Kind, limits: ArchiveLimits) throws {
        let stream = try ArchiveStream(path: path, kind: kind, limits: limits)
        var found: [String: ContainedFile] = [:]
        while let entry = try stream.nextEntry() {
            if kind == .tar { try stream.drain() }
            guard let name = entry.name else { continue }
            let file = ContainedFile(name: name, statedSize: entry.statedSize)
            guard found.updateValue(file, forKey: name) == nil else {
                throw ArchiveError.duplicateEntry(path: path, name: name)
            }
        }
        (self.path, self.kind, self.limits) = (path, kind, limits)
        files = found.values.sorted { $0.name < $1.name }
    }

    func open(_ name: String) throws -> any ByteSource {
        let stream = try ArchiveStream(path: path, kind: kind, limits: limits)
        while let entry = try stream.nextEntry() {
            if entry.name == name { return ArchiveEntryByteSource(stream: stream) }
            if kind == .tar { try stream.drain() }
        }
        throw ArchiveError.missingEntry(path: path, name: name)
    }
}
