import CArchive
import Glibc

/// One pass over a zip or tar file through libarchive: entry after entry, each one's bytes pulled.
///
/// Owns libarchive's handle. Only what is asked for is registered, so that a `.zip` never turns out to be an ISO image
/// and no decompressor runs that the kind does not name.
final class ArchiveStream {
    enum Kind {
        /// Read by its central directory, so a zip that is cut short is rejected as a whole.
        case zip
        /// A tar, compressed with gzip or not.
        case tar
    }

    /// The entry that `nextEntry()` went to.
    struct Entry {
        /// Relative name with `/`; nil for what is no regular file, or for a name that must not be used.
        let name: String?
        /// Expanded size in bytes as the archive states it; a claim, not a fact.
        let statedSize: Int?
    }

    private let path: String
    private let handle: OpaquePointer
    private let limits: ArchiveLimits
    private let size: Int
    private var expanded = 0
    private var entries = 0

    /// Opens `path` as `kind`.
    ///
    /// - Throws: `FileError` when there is no such file; `ArchiveError.damaged` when it is not of this kind.
    init(path: String, kind: Kind, limits: ArchiveLimits) throws {
        let file = try FileStatus(path: path)
        guard file.kind == .regular else { throw FileError.notRegular(path: path) }
        guard let handle = archive_read_new() else {
            throw ArchiveError.damaged(path: path, reason: "libarchive has no memory")
        }
        (self.path, self.handle, self.limits, self.size) = (path, handle, limits, file.size)
        Self.register(kind, with: handle)
        let status = UTF8Locale.during { archive_read_open_filename(handle, path, 64 * 1024) }
        guard status == ARCHIVE_OK else { throw damage() }
    }

    deinit { archive_read_free(handle) }

    var progress: ByteProgress { .init(consumed: Int(archive_filter_bytes(handle, -1)), total: size) }

    /// Goes to the next entry; nil at the end.
    ///
    /// - Throws: `ArchiveError.damaged`, `.tooManyEntries`.
    func nextEntry() throws -> Entry? {
        try UTF8Locale.during { try readHeader() }
    }

    private func readHeader() throws -> Entry? {
        var entry: OpaquePointer?
        switch archive_read_next_header(handle, &entry) {
        case ARCHIVE_EOF: return nil
        // A warning is about a name that is not in the characters it should be in; see `name(of:)`.
        case ARCHIVE_OK, ARCHIVE_WARN: break
        default: throw damage()
        }
        guard let entry else { throw damage() }
        entries += 1
        guard entries <= limits.maximumEntries else {
            throw ArchiveError.tooManyEntries(path: path, limit: limits.maximumEntries)
        }
        let isRegular = skein_archive_entry_is_regular(entry) != 0
        let statedSize = archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil
        return Entry(name: isRegular ? EntryName.accepted(Self.name(of: entry)) : nil, statedSize: statedSize)
    }

    /// The next expanded bytes of the entry; 0 at its end.
    ///
    /// - Throws: `ArchiveError.damaged` (also when a checksum disagrees), `.expandsTooMuch`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = archive_read_data(handle, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw damage() }
        expanded += count
        try limits.check(expanded: expanded, compressed: size, path: path)
        return count
    }

    /// Reads the entry to its end. libarchive would do so itself on the way to the next header, but past our limits.
    func drain() throws {
        var scratch = [UInt8](repeating: 0, count: 64 * 1024)
        while try scratch.withUnsafeMutableBytes({ try read(into: $0) }) > 0 {}
    }

    private static func register(_ kind: Kind, with handle: OpaquePointer) {
        switch kind {
        case .zip:
            archive_read_support_format_zip_seekable(handle)
        case .tar:
            archive_read_support_filter_gzip(handle)
            archive_read_support_format_tar(handle)
        }
    }

    /// The name as UTF-8; where it is in some older encoding that the archive does not tell, with U+FFFD for what is
    /// not ASCII: still a name, and the only data file of an archive may have any.
    private static func name(of entry: OpaquePointer) -> String? {
        let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        return name.map { String(cString: $0) }
    }

    private func damage() -> ArchiveError {
        let reason = archive_error_string(handle).map { String(cString: $0) } ?? "unknown damage"
        return .damaged(path: path, reason: reason)
    }
}

/// The bytes of one entry of an archive.
final class ArchiveEntryByteSource: ByteSource {
    private let stream: ArchiveStream

    /// Serves the entry that `stream` is at.
    init(stream: ArchiveStream) {
        self.stream = stream
    }

    var progress: ByteProgress { stream.progress }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try stream.read(into: buffer)
    }
}

/// Which names inside an archive are used.
enum EntryName {
    /// The name in one form (`/` between parts, no leading `./`), or nil when the entry is left out: absolute names and
    /// names with `..` (nothing is ever unpacked, but no such entry has a place in a data archive), NUL, and what
    /// systems add by themselves (`__MACOSX/`, AppleDouble's `._name`, `.DS_Store`, `Thumbs.db`).
    static func accepted(_ raw: String?) -> String? {
        guard let raw, !raw.unicodeScalars.contains("\0") else { return nil }
        let unified = String(raw.map { $0 == "\\" ? "/" : $0 })
        guard !unified.hasPrefix("/"), !hasDriveLetter(unified) else { return nil }
        let parts = unified.split(separator: "/").filter { $0 != "." }
        guard let last = parts.last, !parts.contains("..") else { return nil }
        let isSystems = parts.first == "__MACOSX" || last.hasPrefix("._") || last == ".DS_Store" || last == "Thumbs.db"
        return isSystems ? nil : parts.joined(separator: "/")
    }

    private static func hasDriveLetter(_ name: String) -> Bool {
        let start = name.utf8.prefix(2)
        return start.count == 2 && start.last == UInt8(ascii: ":")
    }
}

/// A C locale whose characters are UTF-8, for the calling thread and the length of one call.
///
/// libarchive converts names to the locale's characters and drops a name that has no such characters. The process's
/// locale is left alone: changing it is not safe with threads running.
enum UTF8Locale {
    // Made once and never changed or freed; `uselocale` only reads it.
    private nonisolated(unsafe) static let handle = newlocale(Int32(LC_CTYPE_MASK), "C.UTF-8", nil)

    /// Runs `body` in the locale; where the system has none, in the locale as it is.
    static func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let handle else { return try body() }
        let previous = uselocale(handle)
        defer { uselocale(previous) }
        return try body()
    }
}

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
