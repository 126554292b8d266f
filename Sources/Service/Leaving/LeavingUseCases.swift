import EventLog
package import Logging
import PhotoStore
import Postgres
import ReadModels
import Vault

/// The use cases of leaving: erasing accounts, and finishing their erasures.
package struct LeavingUseCases: Sendable {
    package let service: Leaving
    private let photos: PhotoUseCases
    private let ground: Ground

    init(_ ground: Ground, accounts: AccountUseCases, photos: PhotoUseCases) {
        (self.ground, self.photos) = (ground, photos)
        service = Leaving(
            store: ground.store, passwords: accounts.passwords, accounts: AccountQueries(ground.pool),
            directory: ground.directory, sessions: accounts.sessions, signer: ground.signer, logger: ground.logger)
    }

    /// Returns a worker that finishes the erasures of accounts while it runs.
    /// - Parameter settling: how long requests of an account may still be under way after its erasure.
    package func worker(
        _ mail: MailSettings?, settling: Duration = ErasureWorker.settling, logger: Logger
    ) -> ErasureWorker {
        let pool = ground.pool
        return ErasureWorker(
            erasures: Erasures(database: pool), store: ground.store, photos: PhotoQueries(pool),
            guarded: PublicPhotoQueries(pool), models: ModelCatchUp(pool), bytes: photos.settings.store,
            uploads: photos.uploads.files, caches: photos.caches, mails: mail?.transport as? MailFolder,
            signer: ground.signer, settling: settling, logger: logger)
    }
}
