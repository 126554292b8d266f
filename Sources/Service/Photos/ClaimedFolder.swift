import FileLocks
import FoundationEssentials

/// A folder of this process alone, in one that processes share. As long as this value lives, no other process removes
/// it; afterwards, the next one to claim a folder does.
final class ClaimedFolder: Sendable {
    private static let lockName = "lock"

    let path: String
    private let lock: FileLock

    /// Makes the folder, and removes those of processes that have ended.
    /// - Throws: ``FileLock/Failure``; what making a folder throws.
    init(in shared: String) throws {
        let path = "\(shared)/\(UUID().uuidString)"
        try ClaimedFolder.make(shared)
        // Held only in here: a folder that has no lock yet is not taken for abandoned.
        let claiming = try FileLock("\(shared)/\(ClaimedFolder.lockName)")
        try claiming.lock(.exclusive)
        try ClaimedFolder.removeAbandoned(in: shared)
        try ClaimedFolder.make(path)
        let lock = try FileLock("\(path)/\(ClaimedFolder.lockName)")
        try lock.lock(.exclusive)
        (self.path, self.lock) = (path, lock)
        withExtendedLifetime(claiming) {}
    }

    private static func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Removes all folders whose lock is free, and those without one. What cannot be removed stays.
    private static func removeAbandoned(in shared: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: shared) where name != lockName {
            let folder = "\(shared)/\(name)"
            guard let lock = try? FileLock("\(folder)/\(lockName)"), (try? lock.tryLock(.exclusive)) == true else {
                continue
            }
            try? FileManager.default.removeItem(atPath: folder)
            withExtendedLifetime(lock) {}
        }
    }
}
