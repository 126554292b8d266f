package import Domain
import EventLog
package import NIOCore
import PhotoStore

/// A version of a photo that can be downloaded.
package enum PhotoVersion: Hashable, Sendable {
    /// As it was uploaded, with its metadata: for its owner and moderators.
    case original
    case rendition(RenditionName)

    /// - Returns: nil for any other word.
    package init?(_ word: String) {
        if word == "original" {
            self = .original
        } else if let name = RenditionName(rawValue: word) {
            self = .rendition(name)
        } else {
            return nil
        }
    }
}

/// A file of a photo, and access to its bytes.
package struct PhotoFile: Sendable {
    let digest: SHA256Sum
    /// Identifies the bytes.
    package var tag: String { String(digest.description.prefix(32)) }
    package let mediaType: ImageType
    package let size: Int
    /// Whether it is the JPEG of a rendition, which may also be had as a WebP.
    package private(set) var isRendition = false
    private let store: any PhotoStore

    /// The same file as a rendition.
    var asRendition: PhotoFile {
        var file = self
        file.isRendition = true
        return file
    }

    /// The bytes, or a range of them, in pieces.
    /// - Throws: ``CommandError/notFound`` where the bytes are gone; `PhotoStoreError`.
    package func chunks(_ range: Range<Int>?) async throws -> AsyncThrowingStream<ByteBuffer, any Error> {
        do {
            return try await store.read(digest, range).chunks
        } catch PhotoStoreError.notFound {
            throw CommandError.notFound
        }
    }

    private init(_ sha256: Fingerprint, _ mediaType: ImageType, size: Int, _ store: any PhotoStore) throws {
        guard let digest = SHA256Sum(hexadecimal: sha256.text) else { throw CommandError.notFound }
        self.init(digest, mediaType, size: size, store)
    }

    init(_ digest: SHA256Sum, _ mediaType: ImageType, size: Int, _ store: any PhotoStore) {
        (self.digest, self.mediaType, self.size, self.store) = (digest, mediaType, size, store)
    }

    /// - Throws: ``CommandError/gone`` for a photo that was deleted or redacted, ``CommandError/notFound`` where it has
    ///   no such version.
    init(_ photo: Stored<PhotoState>, _ version: PhotoVersion, _ store: any PhotoStore) throws {
        let image = try photo.present.image
        switch version {
        case .original: try self.init(image.original, image.type, size: image.bytes, store)
        case .rendition(let name): try self.init(photo.state.renditions, name, store)
        }
    }

    /// One of the renditions, which are all JPEGs.
    /// - Throws: ``CommandError/notFound`` where it is not among them.
    init(_ renditions: [PhotoRendition], _ name: RenditionName, _ store: any PhotoStore) throws {
        guard let rendition = renditions.first(where: { $0.name == name }) else { throw CommandError.notFound }
        try self.init(rendition.sha256, .jpeg, size: rendition.bytes, store)
        isRendition = true
    }
}

extension PhotoService {
    /// The file of one of the owner's photos.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database or the store throws.
    package func file(_ id: PhotoID, _ version: PhotoVersion, of account: AccountID) async throws -> PhotoFile {
        let photo = try await own(id, of: account)
        _ = try await sighting(of: photo)
        return try PhotoFile(photo, version, photos)
    }
}
