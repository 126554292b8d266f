import CZlib

/// The expanded bytes of a gzip file. zlib compares length and CRC-32 of every member (RFC 1952, section 2.3.1); bytes
/// after the last member that do not begin another are ignored, as `gzip` does.
///
/// `gzread` is not used: it takes a file that is cut short for a whole one where its two buffers end at the same byte.
final class GzipByteSource: ByteSource {
    private let path: String
    private let limits: ArchiveLimits
    private let file: FileByteSource
    /// zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private var expanded = 0
    private var isAtEnd = false

    private static let inputSize = 64 * 1024
    /// The largest window, and 16 for gzip's header and trailer.
    private static let windowBits: Int32 = 15 + 16

    /// Opens the gzip file at `path`.
    ///
    /// - Throws: `FileError`, `ArchiveError.damaged`.
    init(path: String, limits: ArchiveLimits) throws {
        file = try FileByteSource(path: path)
        (self.path, self.limits) = (path, limits)
        input = .allocate(capacity: Self.inputSize)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw ArchiveError.damaged(path: path, reason: "zlib cannot start") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    var progress: ByteProgress {
        let read = file.progress
        return isAtEnd
            ? .init(consumed: read.total, total: read.total)
            : .init(consumed: read.consumed - Int(stream.pointee.avail_in), total: read.total)
    }

    /// The next expanded bytes; 0 at the end.
    ///
    /// - Throws: `FileError`; `ArchiveError.damaged`, also when the file is cut short or a checksum disagrees;
    ///   `.expandsTooMuch`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let room = UInt32(clamping: buffer.count)
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        while room > 0, stream.pointee.avail_out == room, !isAtEnd { try expand() }
        let count = Int(room - stream.pointee.avail_out)
        expanded += count
        try limits.check(expanded: expanded, compressed: file.progress.total, path: path)
        return count
    }

    private func expand() throws {
        if stream.pointee.avail_in == 0 { try fill(atLeast: 1) }
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_OK: break
        case Z_STREAM_END: try beginNextMember()
        // There is room, so input is what lacks.
        case Z_BUF_ERROR: throw ArchiveError.damaged(path: path, reason: "it is cut short")
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "unknown damage"
            throw ArchiveError.damaged(path: path, reason: reason)
        }
    }

    private func beginNextMember() throws {
        try fill(atLeast: 2)
        if input[..<Int(stream.pointee.avail_in)].starts(with: [0x1F, 0x8B]) {
            inflateReset(stream)
        } else {
            isAtEnd = true
        }
    }

    /// Moves the input that is left to the start of the buffer, and reads until it has `wanted` bytes or the end.
    private func fill(atLeast wanted: Int) throws {
        var count = Int(stream.pointee.avail_in)
        if count > 0, let rest = stream.pointee.next_in { input.baseAddress?.update(from: rest, count: count) }
        while count < wanted {
            let room = UnsafeMutableBufferPointer(rebasing: input[count...])
            let read = try file.read(into: UnsafeMutableRawBufferPointer(room))
            if read == 0 { break }
            count += read
        }
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(count)
    }
}
