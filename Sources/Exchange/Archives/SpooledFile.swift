import CZlib
import Glibc

/// A file on the way into an archive: written once, then read, and removed with its owner.
final class SpooledFile {
    let name: String
    private let path: String
    private let sink: FileByteSink
    private(set) var size = 0
    private var checksum: UInt = 0

    /// Creates the file in a folder.
    /// - Parameter name: of the entry and of the file.
    /// - Throws: `FileError.cannotOpen`.
    init(_ name: String, in folder: String) throws {
        self.name = name
        path = "\(folder)/\(name)"
        sink = try FileByteSink(creating: path)
    }

    deinit { unlink(path) }

    /// Takes the bytes that `body` appends to the buffer.
    /// - Throws: `FileError.cannotWrite`.
    func append(_ body: (inout [UInt8]) -> Void) throws {
        try sink.append { buffer in
            let start = buffer.count
            body(&buffer)
            buffer[start...].withUnsafeBytes { bytes in
                guard !bytes.isEmpty else { return }
                size += bytes.count
                checksum = crc32_z(checksum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
            }
        }
    }

    /// Ends the writing.
    /// - Throws: `FileError.cannotWrite`.
    func close() throws {
        try sink.close()
    }

    /// - Throws: `FileError.cannotOpen`.
    func open() throws -> FileByteSource {
        try FileByteSource(path: path)
    }

    var entry: StoredZip.Entry {
        StoredZip.Entry(name: name, size: UInt64(size), checksum: UInt32(truncatingIfNeeded: checksum))
    }
}
