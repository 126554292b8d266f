import Foundation

/// A store in a folder: `ab/cd/abcd…`, so that no directory grows too large.
///
/// A file appears complete or not at all: it is written under another name, flushed, renamed, and then its folder is
/// flushed. Writers of the same bytes do not disturb each other.
package struct FolderPhotoStore: PhotoStore {
    private let folder: String

    /// - Parameter folder: made with the first photo.
    package init(folder: String) {
        self.folder = folder
    }

    private func path(of digest: PhotoDigest) -> String {
        let name = digest.description
        return "\(folder)/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
    }

    /// - Throws: ``PhotoStoreError``, and what copying throws.
    package func put(_ file: String, as digest: PhotoDigest) async throws {
        let (folder, path) = (folder, path(of: digest))
        try await blocking {
            let shard = String(path.prefix(path.count - 65))
            if access(path, F_OK) != 0 {
                for made in [folder + "/incoming", shard] {
                    try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
                }
                let incoming = "\(folder)/incoming/\(UUID().uuidString)"
                defer { unlink(incoming) }
                try FileManager.default.copyItem(atPath: file, toPath: incoming)
                try Self.flush(incoming)
                guard rename(incoming, path) == 0 else { throw PhotoStoreError.failed("rename", path) }
            }
            // Also for a file that was there: the writer that renamed it may not have come this far yet.
            let above = URL(filePath: folder).deletingLastPathComponent().path
            for parent in [shard, String(shard.dropLast(3)), folder, above] { try Self.flush(parent) }
        }
    }

    /// The number of bytes; nil where none are kept.
    package func size(of digest: PhotoDigest) async throws -> Int? {
        let path = path(of: digest)
        return try await blocking { Self.size(atPath: path) }
    }

    /// - Throws: ``PhotoStoreError``.
    package func read(_ digest: PhotoDigest, _ range: Range<Int>?) async throws -> PhotoBytes {
        let path = path(of: digest)
        let file = try await blocking { try OpenFile(path, digest) }
        let wanted = (range ?? 0..<file.size).clamped(to: 0..<file.size)
        return PhotoBytes(size: file.size, chunks: file.chunks(wanted))
    }

    /// - Throws: ``PhotoStoreError``.
    package func remove(_ digest: PhotoDigest) async throws {
        let path = path(of: digest)
        try await blocking {
            guard unlink(path) == 0 || errno == ENOENT else { throw PhotoStoreError.failed("unlink", path) }
        }
    }

    /// The digests of all files.
    package func digests() -> AsyncThrowingStream<PhotoDigest, any Error> {
        let names = FolderNames(folder)
        return AsyncThrowingStream { await names.next() }
    }
}

extension FolderPhotoStore {
    fileprivate static func size(atPath path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Waits until a file, or the entries of a directory, are on the disk.
    fileprivate static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PhotoStoreError.failed("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw PhotoStoreError.failed("fsync", path) }
    }

    /// The digests among the names in a folder.
    fileprivate actor FolderNames {
        private let names: FileManager.DirectoryEnumerator?

        init(_ folder: String) {
            names = FileManager.default.enumerator(atPath: folder)
        }

        func next() -> PhotoDigest? {
            while let name = names?.nextObject() as? String {
                if let digest = PhotoDigest(hexadecimal: String(name.suffix(64))), name.utf8.count == 70 {
                    return digest
                }
            }
            return nil
        }
    }
}
