import Domain
import Logging
import PhotoStore

/// The renditions of guarded photos, which are cut to a few shapes and sizes: others tell cameras and habits apart.
/// They are made of the large rendition when they are first asked for, so a photo that becomes guarded later has them,
/// too.
final class GuardedRenditions: Sendable {
    /// Bytes of the files of each size.
    private static let bytes = 300_000_000

    private let caches: [RenditionName: ConversionCache]
    private let turns = FairTurns(TurnLimits(atOnce: 2, waiting: 64))

    /// - Parameter settings: where they are kept.
    init(_ settings: ConversionCache.Settings, renderer: PhotoRenderer, spool: PhotoSpool, logger: Logger) {
        caches = Dictionary(
            uniqueKeysWithValues: RenditionName.allCases.map { name in
                let settings = settings.part(name.rawValue, bytes: Self.bytes)
                let cache = ConversionCache(settings, making: .jpeg, spool: spool, logger: logger) {
                    try await renderer.guarded($0, name.rawValue, into: $1)
                }
                return (name, cache)
            })
    }

    /// A rendition of a guarded photo.
    /// - Parameter large: the large rendition of the photo.
    /// - Throws: ``FairTurns/Rejection``; ``SentPhotoRejection/busy`` where it cannot be made now;
    ///   ``CommandError/notFound`` where the bytes of the photo are gone; `CancellationError`.
    func file(_ name: RenditionName, of large: PhotoFile) async throws -> PhotoFile {
        guard let cache = caches[name] else { throw CommandError.notFound }
        if let file = cache.kept(of: large) { return file.asRendition }
        let made = try await turns.take(by: TurnClient.address) { await cache.file(of: large) }
        if let made { return made.asRendition }
        // Throws if the bytes are gone.
        _ = try await large.chunks(0..<1)
        throw SentPhotoRejection.busy
    }

    /// Removes the renditions made of a large one.
    /// - Returns: their digests.
    func forget(_ large: SHA256Sum) async -> [SHA256Sum] {
        var forgotten: [SHA256Sum] = []
        for cache in caches.values {
            if let digest = await cache.forget(large) { forgotten.append(digest) }
        }
        return forgotten
    }

    /// Removes what processes that have ended left in the same folder.
    func removeAbandoned() async {
        // The caches are in one folder of this process.
        await caches.values.first?.removeAbandoned()
    }
}

/// The files that this process has made of renditions.
package struct PhotoCaches: Sendable {
    package let webPs: ConversionCache
    let guarded: GuardedRenditions

    /// Removes whatever was made of the rendition with a digest.
    func forget(_ rendition: SHA256Sum) async {
        for digest in await guarded.forget(rendition) { await webPs.forget(digest) }
        await webPs.forget(rendition)
    }

    /// Removes what processes that have ended left in the same folders: no cache knows it.
    func removeAbandoned() async {
        await webPs.removeAbandoned()
        await guarded.removeAbandoned()
    }
}
