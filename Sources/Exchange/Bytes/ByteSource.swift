/// How far a reader has come, counted in bytes of the file on disk (compressed bytes where it is compressed), so that
/// the share is right without knowing the expanded size.
package struct ByteProgress: Sendable, Equatable {
    /// Bytes of the file read so far; never more than `total`.
    package let consumed: Int
    /// Size of the file in bytes.
    package let total: Int

    /// Progress of `consumed` bytes out of `total`; a reader that looked beyond the end counts as finished.
    package init(consumed: Int, total: Int) {
        self.total = max(total, 0)
        self.consumed = min(max(consumed, 0), self.total)
    }

    /// From 0 to 1; an empty file is finished from the start.
    package var fraction: Double {
        total == 0 ? 1 : Double(consumed) / Double(total)
    }
}

/// Bytes that are pulled, a buffer at a time, in order and once.
///
/// Pulling keeps the memory constant whatever the file's size: nothing is read ahead of what the caller asks for beyond
/// one buffer. A source belongs to one task; it is a class because it owns a file descriptor or a C handle and frees it
/// when released.
package protocol ByteSource: AnyObject {
    /// Writes the next bytes to the start of `buffer`.
    ///
    /// - Returns: how many bytes were written, at least 1 while there are any; 0 at the end, and again after it.
    /// - Throws: `FileError` or `ArchiveError` when the file cannot be read or is damaged.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// How much of the underlying file has been consumed.
    var progress: ByteProgress { get }
}

extension ByteSource {
    /// Reads to the end, or until `limit` bytes have been read; what lies beyond is left unread.
    ///
    /// - Throws: what `read(into:)` throws.
    package func readBytes(upTo limit: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(max(limit, 1), 64 * 1024))
        while result.count < limit {
            let wanted = min(chunk.count, limit - result.count)
            let count = try chunk.withUnsafeMutableBytes { try read(into: .init(rebasing: $0[..<wanted])) }
            if count == 0 { break }
            result.append(contentsOf: chunk[..<count])
        }
        return result
    }
}
