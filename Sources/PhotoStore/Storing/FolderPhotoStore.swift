package import Foundation

/// A store in a folder: `ab/cd/abcd…`, so that no directory grows too large.
///
/// A file appears complete or not at all: it is written under another name, flushed, renamed, and then its folder is
/// flushed, and once those above it. Writers of the same bytes do not disturb each other.
package struct FolderPhotoStore: PhotoStore {
    private let folder: String
    private let folders = DurableFolders()

    /// - Parameter folder: created with the first photo.
    package init(folder: String) {
        self.folder = folder
    }

    private func path(of digest: SHA256Sum) -> String {
        let name = digest.description
        return "\(folder)/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
    }

    /// - Throws: ``PhotoStoreError``, and what copying throws.
    package func put(_ file: String, as digest: SHA256Sum) async throws {
        let (folder, folders, path) = (folder, folders, path(of: digest))
        try await blocking {
            let shard = String(path.prefix(path.count - 65))
            let parents = [folder, String(shard.dropLast(3)), shard]
            // An existing file gets a new time, so that no sweep removes it.
            if utimes(path, nil) != 0 {
                for made in parents + [folder + "/incoming"] { try folders.make(made) }
                let incoming = "\(folder)/incoming/\(UUID().uuidString)"
                defer { unlink(incoming) }
                try FileManager.default.copyItem(atPath: file, toPath: incoming)
                try DurableFolders.flush(incoming)
                guard rename(incoming, path) == 0 else { throw PhotoStoreError.failed("rename", path) }
            }
            // Also for an existing file: the writer that renamed it may not have flushed yet.
            try DurableFolders.flush(shard)
            for parent in parents.reversed() { try folders.flushEntry(of: parent) }
        }
    }

    /// - Throws: ``PhotoStoreError``.
    package func read(_ digest: SHA256Sum, _ range: Range<Int>?) async throws -> PhotoBytes {
        let path = path(of: digest)
        return try await blocking {
            let file = try Self.open(path, digest)
            let wanted = (range ?? 0..<file.size).clamped(to: 0..<file.size)
            // A small file is read at once: switching threads costs more than reading.
            let first = wanted.isEmpty ? nil : try file.piece(wanted)
            return PhotoBytes(size: file.size, chunks: file.chunks(wanted, first: first))
        }
    }

    /// Renames the file first, so that a concurrent `put` of the same bytes writes a new one.
    /// - Throws: ``PhotoStoreError``; what creating the folder throws.
    @discardableResult
    package func remove(_ digest: SHA256Sum, putBefore moment: Date) async throws -> Bool {
        let (folder, path) = (folder, path(of: digest))
        return try await blocking {
            try FileManager.default.createDirectory(atPath: folder + "/incoming", withIntermediateDirectories: true)
            let aside = "\(folder)/incoming/\(UUID().uuidString)"
            guard rename(path, aside) == 0 else {
                if errno == ENOENT { return false }
                throw PhotoStoreError.failed("rename", path)
            }
            guard let putAt = Self.putAt(aside), putAt < moment else {
                guard rename(aside, path) == 0 else { throw PhotoStoreError.failed("rename", aside) }
                return false
            }
            guard unlink(aside) == 0 else { throw PhotoStoreError.failed("unlink", aside) }
            return true
        }
    }

    /// All files whose names are digests.
    package func kept() -> AsyncThrowingStream<KeptBytes, any Error> {
        let files = FolderFiles(folder)
        return AsyncThrowingStream { await files.next() }
    }
}

extension FolderPhotoStore {
    fileprivate static func open(_ path: String, _ digest: SHA256Sum) throws -> OpenFile {
        do throws(PhotoStoreError) {
            return try OpenFile(path)
        } catch .file(_, _, ENOENT) {
            throw PhotoStoreError.notFound(digest)
        }
    }

    /// The time of the last `put` of a file; nil if there is no file.
    fileprivate static func putAt(_ path: String) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }

    /// The files of a folder that are named by digests.
    fileprivate actor FolderFiles {
        private let folder: String
        private let names: FileManager.DirectoryEnumerator?

        init(_ folder: String) {
            self.folder = folder
            names = FileManager.default.enumerator(atPath: folder)
        }

        func next() -> KeptBytes? {
            while let name = names?.nextObject() as? String {
                if name.utf8.count == 70, let digest = SHA256Sum(hexadecimal: String(name.suffix(64))),
                    let putAt = FolderPhotoStore.putAt("\(folder)/\(name)")
                {
                    return KeptBytes(digest: digest, putAt: putAt)
                }
            }
            return nil
        }
    }
}
