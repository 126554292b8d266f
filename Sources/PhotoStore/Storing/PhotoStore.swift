package import FoundationEssentials
package import NIOCore

/// Keeps the bytes of files by their SHA-256: the same bytes are kept once. Photos have one store, for originals and
/// renditions alike, and exports another one.
package protocol PhotoStore: Sendable {
    /// Keeps a copy of a file, durable on return. Putting the same bytes again renews their `putAt`.
    /// - Throws: ``PhotoStoreError``.
    func put(_ file: String, as digest: SHA256Sum) async throws
    /// Reads bytes as they are asked for.
    /// - Parameter range: the bytes wanted; nil for all.
    /// - Throws: ``PhotoStoreError/notFound(_:)``, ``PhotoStoreError``.
    func read(_ digest: SHA256Sum, _ range: Range<Int>?) async throws -> PhotoBytes
    /// Removes bytes that were last put before a moment; newer ones stay, and absent ones are ignored.
    /// - Returns: whether they are removed.
    @discardableResult func remove(_ digest: SHA256Sum, putBefore moment: Date) async throws -> Bool
    /// Everything that is kept, in any order.
    func kept() -> AsyncThrowingStream<KeptBytes, any Error>
}

/// Bytes that a store keeps.
package struct KeptBytes: Hashable, Sendable {
    package let digest: SHA256Sum
    /// The time of the last `put`.
    package let putAt: Date
}

/// Bytes that are read from a store.
package struct PhotoBytes: Sendable {
    /// The number of all bytes that are kept, not only of the range.
    package let size: Int
    /// The bytes, in pieces; each is read when it is asked for.
    package let chunks: AsyncThrowingStream<ByteBuffer, any Error>

    package init(size: Int, chunks: AsyncThrowingStream<ByteBuffer, any Error>) {
        self.size = size
        self.chunks = chunks
    }
}

/// Why a store failed.
package enum PhotoStoreError: Error, Sendable {
    case notFound(SHA256Sum)
    /// The file system failed: the operation, the path and `errno`.
    case file(operation: String, path: String, errorNumber: Int32)
    /// An S3 service rejected a request or kept failing: the status and the error code; status 0 without a
    /// response.
    case s3(operation: String, status: Int, code: String)

    /// Whether a retry may succeed later.
    package var isTemporary: Bool {
        switch self {
        case .notFound, .file: false
        case .s3(_, let status, _): status == 0 || status == 429 || status >= 500
        }
    }
}
