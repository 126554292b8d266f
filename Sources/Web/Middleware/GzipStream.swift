import CZlib
package import NIOCore

/// gzip, piece by piece. Belongs to one task.
/// - Source: RFC 1952.
package final class GzipStream {
    /// zlib failed, for lack of memory.
    package struct Failure: Error {}

    private static let windowBits: Int32 = 15 + 16
    private static let pieceSize = 64 << 10

    private var stream = z_stream()

    /// - Throws: ``Failure``.
    package init() throws(Failure) {
        let begun = deflateInit2_(
            &stream, Gzip.level, Z_DEFLATED, Self.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { throw Failure() }
    }

    deinit { deflateEnd(&stream) }

    /// Takes bytes.
    /// - Returns: those that are compressed so far and were not returned before; maybe none.
    /// - Throws: ``Failure``.
    package func compress(_ bytes: ByteBufferView) throws(Failure) -> [UInt8] {
        try deflate(Array(bytes), Z_NO_FLUSH)
    }

    /// Ends the stream.
    /// - Returns: the last bytes.
    /// - Throws: ``Failure``.
    package func finish() throws(Failure) -> [UInt8] {
        try deflate([], Z_FINISH)
    }

    private func deflate(_ bytes: [UInt8], _ flush: Int32) throws(Failure) -> [UInt8] {
        var (input, output, result): ([UInt8], [UInt8], Int32) = (bytes, [], Z_OK)
        input.withUnsafeMutableBufferPointer { input in
            (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
            repeat {
                var free = 0
                let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { piece, count in
                    (stream.next_out, stream.avail_out) = (piece.baseAddress, UInt32(piece.count))
                    result = CZlib.deflate(&stream, flush)
                    free = Int(stream.avail_out)
                    count = piece.count - free
                }
                output += piece
                if free > 0 { break }
            } while result == Z_OK
            // No room was left for more: that is no fault.
            if result == Z_BUF_ERROR { result = Z_OK }
        }
        guard result == Z_OK || result == Z_STREAM_END else { throw Failure() }
        return output
    }
}
