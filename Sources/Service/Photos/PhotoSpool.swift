import Foundation
package import NIOCore
import NIOPosix
package import PhotoStore

/// A folder for uploads while they arrive, which several processes may share. ``prepare()`` removes leftovers
/// of killed processes.
package struct PhotoSpool: Sendable {
    /// The most bytes that a photo may have: 25 MB.
    package static let mostBytes = 25_000_000

    /// More bytes than a photo may have.
    package struct TooLarge: Error {}

    /// Where it and the photos are.
    package let disk: DiskSpace
    private let folder: String

    /// - Parameter disk: by default, all of it may be used.
    package init(folder: String, disk: DiskSpace? = nil) {
        self.folder = folder
        self.disk = disk ?? DiskSpace(of: [folder])
    }

    /// Creates the folder, and removes files that have not changed for a day, except resumable uploads. Called once,
    /// before the first upload.
    package func prepare() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let before = Date(timeIntervalSinceNow: -Self.age)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != Self.resumable {
            let path = "\(folder)/\(name)"
            // A process that starts at the same time may remove it, too. Files that cannot be removed stay.
            let changed = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            guard let changed, changed < before else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Longer than any upload takes, in seconds.
    private static let age = 86_400.0

    private static let resumable = "resumable"

    /// Resumable uploads, which outlive the process.
    var resumableFiles: UploadFiles { UploadFiles(folder: "\(folder)/\(Self.resumable)", disk: disk) }

    /// Writes a body to a file in a folder of its own, and hashes it; removes the folder after `use`.
    /// - Throws: ``TooLarge``, ``DiskSpace/Rejection``; what reading, writing or `use` throws.
    package func receive<Body: AsyncSequence, Value: Sendable>(
        _ body: Body, _ use: (SpooledFile) async throws -> Value
    ) async throws -> Value where Body.Element == ByteBuffer {
        let folder = "\(folder)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/original"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        var hasher = SHA256Hasher()
        var size = 0
        for try await chunk in body {
            size += chunk.readableBytes
            guard size <= Self.mostBytes else { throw TooLarge() }
            try disk.check()
            let bytes = Data(chunk.readableBytesView)
            hasher.update(bytes)
            try await NIOThreadPool.singleton.runIfActive { try handle.write(contentsOf: bytes) }
        }
        try handle.close()
        return try await use(SpooledFile(path: path, folder: folder, digest: hasher.digest, size: size))
    }
}

/// An upload that has arrived.
package struct SpooledFile: Sendable {
    package let path: String
    /// For its renditions.
    package let folder: String
    package let digest: SHA256Sum
    package let size: Int
}
