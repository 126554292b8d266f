import Domain
import PhotoStore
import Postgres
import ReadModels
import Vault

/// The use cases of photos: adding, changing and showing them.
package struct PhotoUseCases: Sendable {
    package let service: PhotoService
    package let uploads: PhotoUploads
    package let files: PublicPhotoFiles
    package let caches: PhotoCaches
    /// The photos whose bytes should be kept.
    package let inventory: PhotoInventory
    let settings: PhotoSettings

    init(_ ground: Ground, accounts: AccountUseCases, records: RecordUseCases, settings: PhotoSettings) {
        self.settings = settings
        let (pool, spool, renderer) = (ground.pool, settings.spool, settings.renderer)
        service = PhotoService(
            store: ground.store, photos: settings.store, renderer: renderer, contents: ground.contents,
            reservations: ground.reservations, quotas: PhotoQuotas(database: pool), limits: settings.quota,
            verified: accounts.verified, queries: PhotoQueries(pool), log: ground.log, accounts: ground.directory,
            signer: ground.signer, now: ground.now, spool: spool)
        uploads = PhotoUploads(
            uploads: Uploads(database: pool), files: spool.resumableFiles, photos: service, now: ground.now)
        caches = PhotoCaches(
            webPs: ConversionCache(settings.webPs, spool: spool, logger: ground.logger) {
                try await renderer.webP(of: $0, into: $1)
            },
            guarded: GuardedRenditions(settings.guarded, renderer: renderer, spool: spool, logger: ground.logger))
        files = PublicPhotoFiles(records.reads, settings.store, caches.guarded)
        inventory = PhotoInventory(pool)
    }
}
