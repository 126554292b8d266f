package import FoundationEssentials

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
        expecting expected: Set<SHA256Sum>, _ report: (SHA256Sum, Fault) -> Void
    ) async throws {
        for digest in expected.sorted(by: { $0.description < $1.description }) {
            do {
                let bytes = try await store.read(digest, nil)
                if try await SHA256Sum(of: bytes.chunks) != digest { report(digest, .altered) }
            } catch PhotoStoreError.notFound {
                report(digest, .missing)
            }
        }
        for try await kept in store.kept() where !expected.contains(kept.digest) { report(kept.digest, .orphaned) }
    }

    /// Removes bytes that nothing refers to and that were last put before `moment`: newer ones may belong to a photo
    /// that is not in the log yet.
    /// - Parameter report: called with each digest once its bytes are removed.
    /// - Throws: what the store throws.
    package func sweep(
        keeping expected: Set<SHA256Sum>, putBefore moment: Date, _ report: (SHA256Sum) -> Void
    ) async throws {
        for try await kept in store.kept() where kept.putAt < moment && !expected.contains(kept.digest) {
            if try await store.remove(kept.digest, putBefore: moment) { report(kept.digest) }
        }
    }
}
