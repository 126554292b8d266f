import NIOCore

/// Compares what a store keeps with what it should keep.
package struct StoreCheck: Sendable {
    /// A difference between the two.
    package enum Fault: String, Sendable {
        /// Not kept, though it should be.
        case missing
        /// Other bytes are kept under the digest.
        case altered
        /// Kept, though nothing refers to it.
        case orphaned
    }

    private let store: any PhotoStore

    package init(_ store: any PhotoStore) {
        self.store = store
    }

    /// Reads all bytes that should be kept, and then lists all that are.
    /// - Parameter report: called with each fault when it is found.
    /// - Throws: what the store throws.
    package func run(
        expecting expected: Set<PhotoDigest>, _ report: (PhotoDigest, Fault) -> Void
    ) async throws {
        for digest in expected.sorted(by: { $0.description < $1.description }) {
            do {
                if try await actual(digest) != digest { report(digest, .altered) }
            } catch PhotoStoreError.notFound {
                report(digest, .missing)
            }
        }
        for try await digest in store.digests() where !expected.contains(digest) { report(digest, .orphaned) }
    }

    /// The digest of the bytes that are kept under one.
    private func actual(_ digest: PhotoDigest) async throws -> PhotoDigest {
        var hasher = PhotoHasher()
        for try await chunk in try await store.read(digest, nil).chunks {
            hasher.update(Array(buffer: chunk))
        }
        return hasher.digest
    }
}
