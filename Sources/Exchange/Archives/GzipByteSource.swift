internal import CZlib
internal import Glibc

/// The expanded bytes of a gzip file. zlib compares length and CRC-32 of every member (RFC 1952, section 2.3.1); bytes
/// after the last member that do not begin another are ignored, as `gzip` does.
final class GzipByteSource: ByteSource {
    private let path: String
    private let limits: ArchiveLimits
    private let size: Int
    private let file: gzFile
    private var expanded = 0

    /// Opens the gzip file at `path`.
    ///
    /// - Throws: `FileError`, `ArchiveError.damaged`.
    init(path: String, limits: ArchiveLimits) throws {
        let status = try FileStatus(path: path)
        guard status.kind == .regular else { throw FileError.notRegular(path: path) }
        // "e": O_CLOEXEC.
        guard let file = gzopen(path, "rbe") else { throw FileError.cannotOpen(path: path, code: errno) }
        (self.path, self.limits, self.size, self.file) = (path, limits, status.size, file)
        gzbuffer(file, 64 * 1024)
        // zlib would pass on as it is what does not begin with gzip's magic number.
        guard gzdirect(file) == 0 else { throw ArchiveError.damaged(path: path, reason: "it is not a gzip file") }
    }

    deinit { gzclose_r(file) }

    var progress: ByteProgress { .init(consumed: gzoffset(file), total: size) }

    /// The next expanded bytes; 0 at the end.
    ///
    /// - Throws: `ArchiveError.damaged`, also when the file is cut short or a checksum disagrees; `.expandsTooMuch`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = Int(gzread(file, buffer.baseAddress, UInt32(clamping: min(buffer.count, 1 << 30))))
        // A file that is cut short ends like a whole one, but with an error set.
        if count < 0 || (count == 0 && !buffer.isEmpty) { try checkEnd() }
        expanded += count
        try limits.check(expanded: expanded, compressed: size, path: path)
        return count
    }

    private func checkEnd() throws {
        var code: Int32 = 0
        let reason = gzerror(file, &code).map { String(cString: $0) } ?? "unknown damage"
        guard code == Z_OK else { throw ArchiveError.damaged(path: path, reason: reason) }
    }
}
