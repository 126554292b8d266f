import Domain
import FoundationEssentials
import PhotoStore
import Vault

/// The bytes of exports: a bounded cache, from which the ones that were read least recently leave. All processes share
/// it.
struct ExportStorage: Sendable {
    let store: any PhotoStore
    let files: ExportFiles
    /// The most bytes in the store; nil for no limit.
    let most: Int?

    /// Stores a file under its SHA-256, durable on return.
    func put(_ path: String, as sha256: Fingerprint, bytes: Int) async throws {
        guard let digest = SHA256Sum(hexadecimal: sha256.text) else { throw CommandError.notFound }
        try await files.add(sha256, bytes: bytes)
        try await store.put(path, as: digest)
        // A reader that missed the bytes meanwhile may have removed the note.
        try await files.add(sha256, bytes: bytes)
    }

    /// The bytes of a revision; nil if they are not stored.
    func file(of revision: ExportMade, _ format: ExportFormat) async throws -> ExportFile? {
        guard let digest = SHA256Sum(hexadecimal: revision.sha256.text),
            try await files.read(revision.sha256)
        else { return nil }
        do {
            // An empty range finds out whether the bytes are there.
            let found = try await store.read(digest, 0..<0)
            guard found.size == revision.bytes else {
                // Otherwise the store keeps them when the right ones are put.
                try await remove(revision.sha256)
                return nil
            }
        } catch PhotoStoreError.notFound {
            try await files.removeLost(revision.sha256)
            return nil
        }
        return ExportFile(revision: revision, format: format, digest: digest, store: store)
    }

    /// Removes a file; its note last, so that a failure is found again.
    func remove(_ sha256: Fingerprint) async throws {
        if let digest = SHA256Sum(hexadecimal: sha256.text) {
            try await store.remove(digest, putBefore: .distantFuture)
        }
        try await files.remove(sha256)
    }

    /// Removes what is beyond the limit; notes last, so that a failure is found again.
    func trim() async throws {
        guard let most else { return }
        for file in try await files.beyond(most) {
            if let digest = SHA256Sum(hexadecimal: file.sha256.text) {
                try await store.remove(digest, putBefore: .distantFuture)
            }
            try await files.remove(file)
        }
    }
}
