internal import Glibc

/// What a gzip file expands to, with the checksum that libarchive does not look at.
///
/// A gzip file may hold several members, each with its own checksum, and libarchive does not tell where one ends. So
/// the trailer of the last is compared when its length is that of all that came out: then it is the only member with
/// any bytes, as nearly every gzip file is.
final class GzipByteSource: ByteSource {
    private let path: String
    private let stream: ArchiveStream
    private let isEmpty: Bool
    private var checksum = CRC32()
    private var expanded = 0

    /// Opens the gzip file at `path`.
    ///
    /// - Throws: `FileError`, `ArchiveError.damaged`.
    init(path: String, limits: ArchiveLimits) throws {
        self.path = path
        stream = try ArchiveStream(path: path, kind: .gzip, limits: limits)
        // Nothing inside means no entry.
        isEmpty = try stream.nextEntry() == nil
    }

    var progress: ByteProgress { stream.progress }

    /// The next expanded bytes; 0 at the end.
    ///
    /// - Throws: `ArchiveError.damaged`, at the end also when the checksum disagrees; `.expandsTooMuch`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !isEmpty, !buffer.isEmpty else { return 0 }
        let count = try stream.read(into: buffer)
        checksum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        expanded += count
        if count == 0 { try compareTrailer() }
        return count
    }

    private func compareTrailer() throws {
        guard let trailer = try Self.trailer(of: path) else { return }
        guard trailer.length == UInt32(truncatingIfNeeded: expanded) else { return }
        guard trailer.checksum == checksum.value else {
            throw ArchiveError.damaged(path: path, reason: "its checksum does not agree with its content")
        }
    }

    /// The file's last eight bytes: checksum and length modulo 2^32 of the last member.
    ///
    /// - Source: RFC 1952, section 2.3.1.
    private static func trailer(of path: String) throws -> (checksum: UInt32, length: UInt32)? {
        let size = try FileStatus(path: path).size
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError.cannotOpen(path: path, code: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8)
        guard size >= 8, pread(descriptor, &bytes, 8, off_t(size - 8)) == 8 else { return nil }
        let words = bytes.withUnsafeBytes { raw in
            [0, 4].map { UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: UInt32.self)) }
        }
        return (words[0], words[1])
    }
}
