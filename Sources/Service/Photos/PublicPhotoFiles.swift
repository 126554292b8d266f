package import Domain
import NIOConcurrencyHelpers
package import NIOCore
import PhotoStore
import ReadModels

/// The files of public photos. The bytes of small ones that are requested often, thumbs above all, are in memory.
///
/// Whether a photo may be shown is looked up for every request; its bytes are found by their SHA-256. Everything in
/// memory is dropped every second, by the clock alone: bytes that were removed from the store are gone then, too, and
/// the time of a response says nothing about events.
///
/// Memory: 16 MiB. When it is full it is emptied.
package final class PublicPhotoFiles: Sendable {
    /// Bytes of the largest file that is kept in memory. A larger one is streamed.
    static let largest = 64 << 10

    private let records: PublicReads
    /// For answers that may reflect any position: one that must reflect a certain one may have to wait for it.
    private let lookups: SharedLookups<PhotoID, PublicPhotoQueries.Renditions>
    private let store: any PhotoStore
    private let guarded: GuardedRenditions
    /// The most bytes in memory.
    private let most: Int
    private let kept = NIOLockedValueBox(Kept())
    /// The number of the present second.
    private let second: @Sendable () -> Int64

    init(
        _ records: PublicReads, _ store: any PhotoStore, _ guarded: GuardedRenditions, most: Int = 16 << 20,
        second: @escaping @Sendable () -> Int64 = { PublicPhotoFiles.seconds }
    ) {
        (self.records, self.store, self.guarded) = (records, store, guarded)
        (self.most, self.second) = (most, second)
        lookups = SharedLookups { try await records.renditions(of: $0, Asked()) }
    }

    private static let start = ContinuousClock.now
    /// Since the process started to count.
    private static var seconds: Int64 { (ContinuousClock.now - start).components.seconds }

    /// The number of bytes in memory.
    var size: Int { kept.withLockedValue { $0.bytes } }

    /// A rendition of a photo that can be downloaded now.
    /// - Throws: ``CommandError/notFound``, ``SentPhotoRejection/busy``; as ``Reads/read(_:_:_:)``.
    package func file(_ name: RenditionName, of id: PhotoID, _ asked: Asked) async throws -> PhotoFile {
        let renditions =
            asked.position > 0
            ? try await records.renditions(of: [id], asked)[id] : try await lookups.value(of: id)
        guard let renditions else { throw CommandError.notFound }
        guard renditions.isGuarded else { return try PhotoFile(renditions.all, name, store) }
        return try await guarded.file(name, of: try PhotoFile(renditions.all, .large, store))
    }

    /// The bytes of a small file, of the photo store or a WebP.
    /// - Parameter file: one that may be shown.
    /// - Returns: nil for a file that must be streamed.
    /// - Throws: ``CommandError/notFound`` where the bytes are gone; `PhotoStoreError`.
    package func content(of file: PhotoFile) async throws -> ByteBuffer? {
        guard file.size <= Self.largest else { return nil }
        let second = second()
        if let content = kept.withLockedValue({ $0.content(of: file.digest, in: second) }) { return content }
        var content = ByteBuffer()
        for try await var chunk in try await file.chunks(nil) {
            if content.readableBytes == 0 { content = chunk } else { content.writeBuffer(&chunk) }
        }
        // Bytes of another length are not those of the file.
        guard content.readableBytes == file.size else { return nil }
        kept.withLockedValue { [most, content] in $0.add(content, of: file.digest, in: second, upTo: most) }
        return content
    }

    private struct Kept {
        /// In which everything was read.
        private var second: Int64 = 0
        private var contents: [SHA256Sum: ByteBuffer] = [:]
        /// Of `contents`.
        private(set) var bytes = 0

        /// Bytes that were read in a second. Drops everything that was read before.
        mutating func content(of digest: SHA256Sum, in second: Int64) -> ByteBuffer? {
            if second != self.second {
                self = Kept()
                self.second = second
            }
            return contents[digest]
        }

        mutating func add(_ content: ByteBuffer, of digest: SHA256Sum, in second: Int64, upTo most: Int) {
            guard second == self.second, contents[digest] == nil, content.storageCapacity <= most else { return }
            if bytes + content.storageCapacity > most { (contents, bytes) = ([:], 0) }
            contents[digest] = content
            bytes += content.storageCapacity
        }
    }
}

extension PublicReads {
    fileprivate func renditions(
        of ids: Set<PhotoID>, _ asked: Asked
    ) async throws -> [PhotoID: PublicPhotoQueries.Renditions] {
        try await read(PublicReader.records, asked) { reader, moment in
            try await PublicPhotoQueries(reader.pool).renditions(of: ids, asOf: moment)
        }.value
    }
}
