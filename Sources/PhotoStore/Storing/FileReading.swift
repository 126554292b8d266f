import Foundation
import NIOCore
import NIOPosix

/// Runs what may wait for the disk on a thread that may wait.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(body)
}

extension PhotoStoreError {
    /// The failure that `errno` says.
    static func failed(_ operation: String, _ path: String) -> PhotoStoreError {
        .file(operation: operation, path: path, errorNumber: errno)
    }
}

/// An open file, closed when nothing refers to it any longer. A file that is removed meanwhile can be read to its end.
final class OpenFile: Sendable {
    fileprivate let descriptor: Int32
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
    func chunks(_ range: Range<Int>) -> AsyncThrowingStream<ByteBuffer, any Error> {
        let cursor = ReadCursor(self, range)
        return AsyncThrowingStream { try await cursor.next() }
    }
}

private actor ReadCursor {
    private let file: OpenFile
    private var rest: Range<Int>

    init(_ file: OpenFile, _ range: Range<Int>) {
        self.file = file
        rest = range
    }

    func next() async throws -> ByteBuffer? {
        guard !rest.isEmpty else { return nil }
        let (file, offset, count) = (file, rest.lowerBound, min(rest.count, 65_536))
        let buffer = try await blocking { () throws -> ByteBuffer in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                let read = pread(file.descriptor, bytes.baseAddress, count, off_t(offset))
                guard read > 0 else { throw PhotoStoreError.failed("read", "") }
                return read
            }
            return buffer
        }
        rest = (offset + buffer.readableBytes)..<rest.upperBound
        return buffer
    }
}
