import Bytes
import Crypto
package import Foundation
import NIOCore

/// The SHA-256 of the bytes of a file, under which a store keeps them.
package struct SHA256Sum: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// - Parameter hexadecimal: 64 lower-case digits; nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 64, text == text.lowercased() else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = Hexadecimal.value(digits[index]), let low = Hexadecimal.value(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    init(_ digest: SHA256Digest) {
        bytes = Array(digest)
    }

    package var description: String { Hexadecimal.digits(of: bytes) }
}

/// Hashes bytes as they arrive.
package struct SHA256Hasher: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: some DataProtocol) {
        hash.update(data: bytes)
    }

    /// The digest of all bytes so far.
    package var digest: SHA256Sum { SHA256Sum(hash.finalize()) }
}

extension SHA256Sum {
    /// The digest of bytes that arrive in pieces.
    /// - Throws: what reading them throws.
    init<Chunks: AsyncSequence>(of chunks: Chunks) async throws where Chunks.Element == ByteBuffer {
        var hasher = SHA256Hasher()
        for try await chunk in chunks { hasher.update(Array(buffer: chunk)) }
        self = hasher.digest
    }

    /// The digest of a file, and its size in bytes.
    /// - Throws: ``PhotoStoreError``.
    package static func ofFile(_ path: String) async throws -> (digest: SHA256Sum, size: Int) {
        let file = try await blocking { try OpenFile(path) }
        return (try await SHA256Sum(of: file.chunks(0..<file.size)), file.size)
    }
}
