import Exchange
import PhotoStore

/// A file being written, with the SHA-256 of its bytes. Belongs to one task.
final class HashedFile {
    let path: String
    private let sink: FileByteSink
    private var hasher = SHA256Hasher()
    private(set) var size = 0

    /// - Throws: `FileError.cannotOpen`.
    init(creating path: String) throws {
        self.path = path
        sink = try FileByteSink(creating: path)
    }

    /// Takes the bytes that `body` appends to the buffer.
    /// - Throws: `FileError.cannotWrite`.
    func append(_ body: (inout [UInt8]) -> Void) throws {
        try sink.append { buffer in
            let start = buffer.count
            body(&buffer)
            size += buffer.count - start
            buffer[start...].withUnsafeBytes { hasher.update($0) }
        }
    }

    /// Ends the writing.
    /// - Throws: `FileError.cannotWrite`.
    func close() throws -> SHA256Sum {
        try sink.close()
        return hasher.digest
    }
}
