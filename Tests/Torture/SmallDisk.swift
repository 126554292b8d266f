import Foundation
import Glibc

/// A file system of its own for a round, small enough to fill.
struct SmallDisk: Sendable {
    /// Enough for a round's cluster and its WAL.
    private static let size = "1g"

    let path: String

    /// Only root may mount.
    static var isPossible: Bool { geteuid() == 0 }

    /// Mounts an empty one on an existing folder.
    /// - Throws: ``MountFailed``.
    static func mount(at path: String) throws -> SmallDisk {
        try run("mount", ["-t", "tmpfs", "-o", "size=\(size),mode=755", "tmpfs", path])
        return SmallDisk(path: path)
    }

    func unmount() {
        try? Self.run("umount", [path])
    }

    /// Leaves no space for a while.
    func fill(for pause: Duration) async throws {
        let ballast = path + "/ballast"
        let descriptor = open(ballast, O_CREAT | O_WRONLY, 0o600)
        defer {
            close(descriptor)
            unlink(ballast)
        }
        let end = ContinuousClock.now + pause
        // Space that others free meanwhile is taken too.
        while ContinuousClock.now < end {
            let size = lseek(descriptor, 0, SEEK_END)
            let free = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize] as? Int ?? 0
            if free > 0 { posix_fallocate(descriptor, size, free) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw MountFailed(command: [program] + arguments) }
    }
}

/// A file system could not be mounted or unmounted.
struct MountFailed: Error {
    let command: [String]
}
