import FileLocks
import FoundationEssentials

/// A folder of this process alone, in one that processes share. As long as this value lives, no other process removes
/// it.
final class ClaimedFolder: Sendable {
    private static let lockName = "lock"
    private static let abandoned = ".abandoned"

    let path: String
    private let shared: String
    private let lock: FileLock

    /// Makes the folder, and removes those of processes that have ended.
    /// - Throws: `FileLock.Failure`; what making a folder throws.
    init(in shared: String) throws {
        let path = "\(shared)/\(UUID().uuidString)"
        try ClaimedFolder.make(shared)
        // Until the folder is locked: without a lock, it would be taken for abandoned.
        let claiming = try FileLock("\(shared)/\(ClaimedFolder.lockName)")
        try claiming.lock(.exclusive)
        try ClaimedFolder.make(path)
        let lock = try FileLock("\(path)/\(ClaimedFolder.lockName)")
        try lock.lock(.exclusive)
        claiming.unlock()
        (self.path, self.shared, self.lock) = (path, shared, lock)
        removeAbandoned()
    }

    private static func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Removes the folders of processes that have ended, unless another process is removing them already. Folders that
    /// cannot be removed stay.
    func removeAbandoned() {
        setAbandonedAside()
        for name in names where name.hasSuffix(Self.abandoned) {
            try? FileManager.default.removeItem(atPath: "\(shared)/\(name)")
        }
    }

    /// Renames folders whose lock is free, and those without one: removing them takes longer than other processes
    /// should wait for the lock.
    private func setAbandonedAside() {
        guard let claiming = try? FileLock("\(shared)/\(Self.lockName)"), (try? claiming.tryLock(.exclusive)) == true
        else { return }
        for name in names where name != Self.lockName && !name.hasSuffix(Self.abandoned) {
            let folder = "\(shared)/\(name)"
            guard let lock = try? FileLock("\(folder)/\(Self.lockName)"), (try? lock.tryLock(.exclusive)) == true
            else { continue }
            try? FileManager.default.moveItem(atPath: folder, toPath: folder + Self.abandoned)
            withExtendedLifetime(lock) {}
        }
        claiming.unlock()
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: shared)) ?? []
    }
}
