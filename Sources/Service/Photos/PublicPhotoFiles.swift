package import Domain
import NIOConcurrencyHelpers
package import NIOCore
import PhotoStore
import ReadModels

/// The files of public photos. Those that are requested often, thumbs above all, are in memory.
///
/// A file is found by the rows that show its photo as of a ``PublicMoment``, and a moment always has the same rows. So
/// a file in memory is the right one for as long as a new look-up would be as of the same moment: until the read model,
/// as this process knows it, reaches another position, or a month ends. Whatever hides a photo or its sighting is an
/// event and so moves the position. A request with `Log-Position` waits until it has moved that far, and only then
/// looks here.
///
/// Everything in memory is dropped when the moment is another one, and every minute: a redaction also changes the rows
/// of earlier moments, before its own position is known here, and files may be removed from the store by hand.
///
/// Bytes are found by their SHA-256, and only for a file that was looked up for the same request.
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

    init(_ records: PublicReads, _ store: any PhotoStore, most: (files: Int, bytes: Int) = (4_000, 16 << 20)) {
        (self.records, self.store, self.most) = (records, store, most)
    }

    /// What is in memory.
    var size: (files: Int, bytes: Int) { kept.withLockedValue { ($0.files.count, $0.bytes) } }

    /// A rendition of a photo that can be downloaded now.
    /// - Parameter position: one that the answer must reflect, and that the read model has reached.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func file(_ name: RenditionName, of id: PhotoID, seeing position: Int64) async throws -> PhotoFile {
        let wish = PublicReads.Wish(position: position)
        let now = try await records.moment(wish)
        let key = Key(photo: id, rendition: name)
        if let file = kept.withLockedValue({ $0.file(key, at: now) }) { return file }
        let (renditions, moment) = try await records.read(wish) { reader, moment in
            try await reader.renditions(of: id, asOf: moment)
        }
        let file = try PhotoFile(renditions, name, store)
        kept.withLockedValue { [most] in $0.add(file, key, foundAt: moment, upTo: most.files) }
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
        private static let time = Duration.seconds(60)

        /// The moment as of which the files were found; nil for none.
        private var moment: PublicMoment?
        private var end = ContinuousClock.now
        private(set) var files: [Key: PhotoFile] = [:]
        private(set) var contents: [PhotoDigest: ByteBuffer] = [:]
        /// Of `contents`.
        private(set) var bytes = 0

        /// The file of a photo, if it is known as of a moment. Drops everything that was found as of another one.
        mutating func file(_ key: Key, at now: PublicMoment) -> PhotoFile? {
            if moment != now || end <= .now {
                self = Kept()
                (moment, end) = (now, .now + Self.time)
            }
            return files[key]
        }

        /// - Parameter moment: that of the server that was asked: a standby's may be another one.
        mutating func add(_ file: PhotoFile, _ key: Key, foundAt moment: PublicMoment, upTo most: Int) {
            guard moment == self.moment else { return }
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
