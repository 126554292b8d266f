package import Domain
import NIOConcurrencyHelpers
package import NIOCore
import PhotoStore
import ReadModels

/// The files of public photos. Those that are requested often, thumbs above all, are in memory.
///
/// Everything in memory is dropped every second, by the clock alone: if an event did it, clients that poll would learn
/// from the time of a response that something was recorded, perhaps a hidden record. A photo that was hidden may
/// therefore be sent for one more second, which is far less than caches keep it. A request with `Log-Position` never
/// looks into the memory.
///
/// Bytes are found by their SHA-256, and only for a file that was looked up before.
///
/// Memory: 4,000 files, and 16 MiB of their bytes. Whichever is full is emptied.
package final class PublicPhotoFiles: Sendable {
    /// Bytes of the largest file that is kept in memory. A larger one is streamed.
    static let largest = 64 << 10

    private let records: PublicReads
    private let store: any PhotoStore
    /// Files, and bytes of them, in memory.
    private let most: (files: Int, bytes: Int)
    private let kept = NIOLockedValueBox(Kept())
    /// The number of the present second.
    private let second: @Sendable () -> Int64

    init(
        _ records: PublicReads, _ store: any PhotoStore, most: (files: Int, bytes: Int) = (4_000, 16 << 20),
        second: @escaping @Sendable () -> Int64 = { PublicPhotoFiles.seconds }
    ) {
        (self.records, self.store, self.most, self.second) = (records, store, most, second)
    }

    private static let start = ContinuousClock.now
    /// Since the process started to count.
    private static var seconds: Int64 { (ContinuousClock.now - start).components.seconds }

    /// What is in memory.
    var size: (files: Int, bytes: Int) { kept.withLockedValue { ($0.files.count, $0.bytes) } }

    /// A rendition of a photo that can be downloaded now.
    /// - Parameter position: one that the answer must reflect, and that the read model has reached; 0 for any.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func file(_ name: RenditionName, of id: PhotoID, seeing position: Int64) async throws -> PhotoFile {
        let (key, second) = (Key(photo: id, rendition: name), second())
        if position == 0, let file = kept.withLockedValue({ $0.file(key, in: second) }) { return file }
        let (renditions, _) = try await records.read(PublicReads.Wish(position: position)) { reader, moment in
            try await reader.renditions(of: id, asOf: moment)
        }
        let file = try PhotoFile(renditions, name, store)
        kept.withLockedValue { [most] in $0.add(file, key, in: second, upTo: most.files) }
        return file
    }

    /// The bytes of a small file, of the photo store or a WebP.
    /// - Parameter file: one that may be shown.
    /// - Returns: nil for a file that must be streamed.
    /// - Throws: ``CommandError/notFound`` where the bytes are gone; `PhotoStoreError`.
    package func content(of file: PhotoFile) async throws -> ByteBuffer? {
        guard file.size <= Self.largest else { return nil }
        if let content = kept.withLockedValue({ $0.contents[file.digest] }) { return content }
        var content = ByteBuffer()
        for try await var chunk in try await file.chunks(nil) {
            if content.readableBytes == 0 { content = chunk } else { content.writeBuffer(&chunk) }
        }
        // Bytes of another length are not those of the file.
        guard content.readableBytes == file.size else { return nil }
        kept.withLockedValue { [most, content] in $0.add(content, of: file.digest, upTo: most.bytes) }
        return content
    }

    private struct Key: Hashable {
        let photo: PhotoID
        let rendition: RenditionName
    }

    private struct Kept {
        /// In which everything was found.
        private var second: Int64 = 0
        private(set) var files: [Key: PhotoFile] = [:]
        private(set) var contents: [PhotoDigest: ByteBuffer] = [:]
        /// Of `contents`.
        private(set) var bytes = 0

        /// The file of a photo, if it was found in a second. Drops everything that was found before.
        mutating func file(_ key: Key, in second: Int64) -> PhotoFile? {
            if second != self.second {
                self = Kept()
                self.second = second
            }
            return files[key]
        }

        mutating func add(_ file: PhotoFile, _ key: Key, in second: Int64, upTo most: Int) {
            guard second == self.second else { return }
            if files.count >= most { files = [:] }
            files[key] = file
        }

        mutating func add(_ content: ByteBuffer, of digest: PhotoDigest, upTo most: Int) {
            guard contents[digest] == nil, content.storageCapacity <= most else { return }
            if bytes + content.storageCapacity > most { (contents, bytes) = ([:], 0) }
            contents[digest] = content
            bytes += content.storageCapacity
        }
    }
}
