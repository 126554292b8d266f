import FileLocks
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PhotoStore

/// The bytes of uploads, each in a folder of its own: `<folder>/<id>/original`.
///
/// Only the newest request about an upload may write: a client that lost its connection may return before the service
/// has noticed. Several processes may share the folder: while one of them uses a whole file, it has it locked.
package final class UploadFiles: Sendable {
    /// The turn of a request; a later one ends it.
    struct Turn: Hashable {
        let upload: UUID
        fileprivate let number: Int
    }

    /// Another request has taken over.
    struct Superseded: Error {}

    private struct Turns {
        var newest: [UUID: Int] = [:]
        var last = 0
        var finishing: Set<UUID> = []
    }

    private let folder: String
    let disk: DiskSpace
    private let turns = NIOLockedValueBox(Turns())

    package init(folder: String, disk: DiskSpace? = nil) {
        self.folder = folder
        self.disk = disk ?? DiskSpace(of: [folder])
    }

    private func path(_ upload: UUID) -> String { "\(folder)/\(upload.uuidString)/original" }

    /// Ends the turns of other requests.
    func takeTurn(_ upload: UUID) -> Turn {
        turns.withLockedValue { turns in
            turns.last += 1
            turns.newest[upload] = turns.last
            return Turn(upload: upload, number: turns.last)
        }
    }

    /// The number of bytes that have arrived; nil where the upload has no file here.
    func size(of upload: UUID) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path(upload)))?[.size] as? Int
    }

    func make(_ upload: UUID) throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(upload.uuidString)", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard FileManager.default.createFile(atPath: path(upload), contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Adds bytes to the end, as long as the turn lasts and no request uses the whole file.
    /// - Throws: ``Superseded``, ``DiskSpace/Rejection``; what writing throws.
    func append(_ bytes: ByteBuffer, in turn: Turn) async throws {
        try disk.check()
        let path = path(turn.upload)
        try await NIOThreadPool.singleton.runIfActive { [turns] in
            // Without a file, another request has ended the upload.
            guard let handle = FileHandle(forWritingAtPath: path) else { throw Superseded() }
            defer { try? handle.close() }
            // Under the lock, so that no later turn reads a size that is still growing.
            try turns.withLockedValue { turns in
                guard turns.newest[turn.upload] == turn.number, !turns.finishing.contains(turn.upload) else {
                    throw Superseded()
                }
                // Another process with the same folder uses the file, or is adding to it.
                let descriptor = handle.fileDescriptor
                if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw Superseded() }
                // Not only when it is closed, which is after the turns are unlocked.
                defer { flock(descriptor, LOCK_UN) }
                try handle.seekToEnd()
                try handle.write(contentsOf: Data(bytes.readableBytesView))
            }
        }
    }

    /// Uses the whole file, to which no request adds meanwhile; one request at a time.
    /// - Returns: nil while another request does.
    /// - Throws: ``Superseded``; what reading the file or `use` throws.
    func finish<Value: Sendable>(
        _ turn: Turn, _ use: (SpooledFile) async throws -> Value
    ) async throws -> Value? {
        let upload = turn.upload
        let isFirst = try turns.withLockedValue { turns in
            guard turns.newest[upload] == turn.number else { throw Superseded() }
            return turns.finishing.insert(upload).inserted
        }
        guard isFirst else { return nil }
        defer { turns.withLockedValue { _ = $0.finishing.remove(upload) } }
        let path = path(upload)
        // Another process may have the same folder.
        let lock = try? FileLock(path, isMade: false)
        defer { withExtendedLifetime(lock) {} }
        if let lock, (try? lock.tryLock(.exclusive)) == false { return nil }
        let (digest, size) = try await PhotoDigest.ofFile(path)
        let renditions = "\(folder)/\(upload.uuidString)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: renditions, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: renditions) }
        return try await use(SpooledFile(path: path, folder: renditions, digest: digest, size: size))
    }

    /// Removes the bytes of an upload, unless a request uses the whole file: then they go when the next removal finds
    /// them unused, after a day at the latest.
    func remove(_ upload: UUID) {
        let isUsed = turns.withLockedValue { turns in
            turns.newest[upload] = nil
            return turns.finishing.contains(upload) || isUsedElsewhere(upload)
        }
        guard !isUsed else { return }
        try? FileManager.default.removeItem(atPath: "\(folder)/\(upload.uuidString)")
    }

    /// Whether another process with the same folder uses the file, or is adding to it.
    private func isUsedElsewhere(_ upload: UUID) -> Bool {
        guard let lock = try? FileLock(path(upload), isMade: false) else { return false }
        return (try? lock.tryLock(.exclusive)) == false
    }

    /// The uploads that have files here which have not grown since a moment.
    func unchanged(since moment: Date) -> [UUID] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)/original")
            guard let changed = attributes?[.modificationDate] as? Date, changed < moment else { return nil }
            return UUID(uuidString: name)
        }
    }
}
