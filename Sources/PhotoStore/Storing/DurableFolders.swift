import Foundation
import NIOConcurrencyHelpers

/// Makes folders, and brings their entries in the folders above them to the disk, each once.
final class DurableFolders: Sendable {
    /// The folders whose entries are on the disk, as this process knows.
    private let durable = NIOLockedValueBox<Set<String>>([])

    /// Makes a folder and those above it, unless they are there.
    /// - Throws: what creating a folder throws.
    func make(_ folder: String) throws {
        if mkdir(folder, 0o777) != 0, errno == EEXIST { return }
        // It is new, even if another one was known under its name.
        _ = durable.withLockedValue { $0.remove(folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Flushes the folder above, so that this one is found there after a power failure.
    /// - Throws: ``PhotoStoreError``.
    func flushEntry(of folder: String) throws {
        if durable.withLockedValue({ $0.contains(folder) }) { return }
        try Self.flush(URL(filePath: folder).deletingLastPathComponent().path)
        _ = durable.withLockedValue { $0.insert(folder) }
    }

    /// Waits until a file, or the entries of a folder, are on the disk.
    /// - Throws: ``PhotoStoreError``.
    static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PhotoStoreError.failed("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw PhotoStoreError.failed("fsync", path) }
    }
}
