import Foundation
import NIOCore
import NIOPosix

/// Runs blocking file operations on a thread that may block.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(body)
}

extension PhotoStoreError {
    /// The failure with the present `errno`.
    static func failed(_ operation: String, _ path: String) -> PhotoStoreError {
        .file(operation: operation, path: path, errorNumber: errno)
    }
}

/// An open file, closed when nothing refers to it any longer. A file that is removed meanwhile can be read to its end.
final class OpenFile: Sendable {
    private let descriptor: Int32
    /// Bytes.
    let size: Int

    /// - Throws: ``PhotoStoreError/file(operation:path:errorNumber:)``.
    init(_ path: String) throws(PhotoStoreError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PhotoStoreError.failed("open", path) }
        var status = stat()
        size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    deinit { close(descriptor) }

    /// A range of the file in pieces of 64 KiB, each read when it is asked for.
    /// - Parameter first: the first piece, if it was read already.
    func chunks(_ range: Range<Int>, first: ByteBuffer? = nil) -> AsyncThrowingStream<ByteBuffer, any Error> {
        let cursor = ReadCursor(self, range, first: first)
        return AsyncThrowingStream { try await cursor.next() }
    }

    /// The beginning of a range that is not empty: 64 KiB at most.
    /// - Throws: ``PhotoStoreError/file(operation:path:errorNumber:)``.
    func piece(_ range: Range<Int>) throws(PhotoStoreError) -> ByteBuffer {
        let count = min(range.count, 65_536)
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            max(0, pread(descriptor, bytes.baseAddress, count, off_t(range.lowerBound)))
        }
        guard read > 0 else { throw PhotoStoreError.failed("read", "") }
        return buffer
    }
}

private actor ReadCursor {
    private let file: OpenFile
    private var rest: Range<Int>
    private var first: ByteBuffer?

    init(_ file: OpenFile, _ range: Range<Int>, first: ByteBuffer?) {
        self.file = file
        self.first = first
        rest = range
    }

    func next() async throws -> ByteBuffer? {
        guard !rest.isEmpty else { return nil }
        let (file, range) = (file, rest)
        let piece: ByteBuffer
        if let first { piece = first } else { piece = try await blocking { try file.piece(range) } }
        first = nil
        rest = (range.lowerBound + piece.readableBytes)..<range.upperBound
        return piece
    }
}
