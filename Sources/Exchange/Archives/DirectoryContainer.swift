import FoundationEssentials

/// A folder as a set of files: its own and those one folder deeper, as archives unpack. Symbolic links are left out, so
/// that an unpacked archive cannot point outside itself.
struct DirectoryContainer: FileContainer {
    let path: String
    let files: [ContainedFile]

    /// Lists the folder at `path`.
    ///
    /// - Throws: `FileError`; `ArchiveError.tooManyEntries` beyond `limits.maximumEntries`.
    init(path: String, limits: ArchiveLimits) throws {
        self.path = path
        var found: [ContainedFile] = []
        for name in try Self.names(in: path) {
            let status = try FileStatus(path: "\(path)/\(name)", followingLinks: false)
            if status.kind == .regular { found.append(.init(name: name, statedSize: status.size)) }
            guard status.kind == .directory, EntryName.accepted(name) != nil else { continue }
            for inner in try Self.names(in: "\(path)/\(name)") {
                let status = try FileStatus(path: "\(path)/\(name)/\(inner)", followingLinks: false)
                guard status.kind == .regular else { continue }
                found.append(.init(name: "\(name)/\(inner)", statedSize: status.size))
            }
            guard found.count <= limits.maximumEntries else { break }
        }
        guard found.count <= limits.maximumEntries else {
            throw ArchiveError.tooManyEntries(path: path, limit: limits.maximumEntries)
        }
        files = found.filter { EntryName.accepted($0.name) == $0.name }.sorted { $0.name < $1.name }
    }

    func open(_ name: String) throws -> any ByteSource {
        guard files.contains(where: { $0.name == name }) else {
            throw ArchiveError.missingEntry(path: path, name: name)
        }
        return try FileByteSource(path: "\(path)/\(name)")
    }

    func readingSize(of name: String) -> Int {
        files.first { $0.name == name }?.statedSize ?? 0
    }

    private static func names(in path: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw FileError.unlistable(path: path)
        }
    }
}
