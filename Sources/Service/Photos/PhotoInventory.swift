package import Domain
import EventLog
package import PhotoStore
package import Postgres
import ReadModels

/// The bytes that the photo store should keep: originals and renditions of all photos, except those that were deleted
/// or redacted and those whose sighting was withdrawn for privacy or redacted. Guarded photos may be public with older
/// renditions, which it should keep too.
package struct PhotoInventory: Sendable {
    private static let pageSize = 1000

    private let pool: PostgresPool

    package init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// The digests, each with one of its photos.
    /// - Throws: ``ModelBehind``; what the database throws.
    package func digests() async throws -> [SHA256Sum: PhotoID] {
        var digests: [SHA256Sum: PhotoID] = [:]
        func add(_ hashes: [Fingerprint], of photo: PhotoID) {
            for digest in hashes.compactMap({ SHA256Sum(hexadecimal: $0.text) }) { digests[digest] = photo }
        }
        try await forEach { add([$0.original] + $0.renditions.map(\.sha256), of: $0.id) }
        for (photo, renditions) in try await PublicPhotoQueries(pool).guardedRenditions() {
            add(renditions.map(\.sha256), of: photo)
        }
        return digests
    }

    /// The photos, by their ids.
    /// - Throws: ``ModelBehind``; what the database throws.
    package func photos() async throws -> [PhotoID] {
        var photos: [PhotoID] = []
        try await forEach { photos.append($0.id) }
        return photos
    }

    private func forEach(_ body: (PhotoRow) -> Void) async throws {
        try await checkModels()
        let queries = PhotoQueries(pool)
        var last: PhotoID?
        while true {
            let page = try await queries.all(after: last, limit: Self.pageSize)
            page.forEach(body)
            last = page.last?.id
            if page.count < Self.pageSize { return }
        }
    }

    private func checkModels() async throws {
        try await ModelCatchUp(pool).waitForHead(of: [.photos, .sightingsExact, .sightingsPublic])
    }
}
