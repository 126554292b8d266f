import FileLocks
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PhotoStore

/// The bytes of uploads, each in a folder of its own: `<folder>/<id>/original`.
///
/// Only the newest request about an upload may write: a client that lost its connection may return before the service
/// has noticed. Several processes may share the folder: each locks a file while it adds to it or uses the whole, and
/// adds only where the file ends as its request expects.
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
    /// - Parameter offset: the number of bytes before them. Others were added by another process.
    /// - Throws: ``Superseded``, ``DiskSpace/Rejection``, `FileLock.Failure`; what writing throws.
    func append(_ bytes: ByteBuffer, at offset: Int, in turn: Turn) async throws {
        try disk.check()
        let path = path(turn.upload)
        try await NIOThreadPool.singleton.runIfActive { [turns] in
            // Under the lock, so that no later turn reads a size that is still growing.
            try turns.withLockedValue { turns in
                guard turns.newest[turn.upload] == turn.number, !turns.finishing.contains(turn.upload),
                    let lock = try Self.lock(path), let handle = FileHandle(forWritingAtPath: path)
                else { throw Superseded() }
                defer {
                    try? handle.close()
                    lock.unlock()
                }
                guard try handle.seekToEnd() == offset else { throw Superseded() }
                try handle.write(contentsOf: Data(bytes.readableBytesView))
            }
        }
    }

    /// Locks a file against other processes with the same folder.
    /// - Returns: nil while one of them uses it, adds to it or removes it.
    /// - Throws: ``Superseded`` without a file: another request has ended the upload; `FileLock.Failure`.
    private static func lock(_ path: String) throws -> FileLock? {
        let lock: FileLock
        do throws(FileLock.Failure) {
            lock = try FileLock(path, isMade: false)
            guard try lock.tryLock(.exclusive) else { return nil }
        } catch {
            if error.isMissing { throw Superseded() }
            throw error
        }
        // It may have been removed before it was locked.
        guard FileManager.default.fileExists(atPath: path) else { throw Superseded() }
        return lock
    }

    /// Uses the whole file, to which no request adds meanwhile; one request at a time.
    /// - Returns: nil while another request does, or another process adds to the file.
    /// - Throws: ``Superseded``, `FileLock.Failure`; what reading the file or `use` throws.
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
        guard let lock = try Self.lock(path) else { return nil }
        defer { lock.unlock() }
        let (digest, size) = try await SHA256Sum.ofFile(path)
        let renditions = "\(folder)/\(upload.uuidString)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: renditions, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: renditions) }
        return try await use(SpooledFile(path: path, folder: renditions, digest: digest, size: size))
    }

    /// Removes the bytes of an upload, unless a request uses the whole file, or another process adds to it: then they
    /// go when the next removal finds them unused, after a day at the latest.
    func remove(_ upload: UUID) {
        let isUsed = turns.withLockedValue { turns in
            turns.newest[upload] = nil
            return turns.finishing.contains(upload)
        }
        guard !isUsed else { return }
        let lock: FileLock?
        do {
            lock = try Self.lock(path(upload))
            guard lock != nil else { return }
        } catch is Superseded {
            lock = nil
        } catch {
            return
        }
        try? FileManager.default.removeItem(atPath: "\(folder)/\(upload.uuidString)")
        lock?.unlock()
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
