import Domain
import EventLog
import Foundation
import PhotoStore
import Postgres
import ReadModels
import Service

/// The use cases of the service in this process.
extension Laboratory {
    /// - Parameters:
    ///   - folder: of the laboratory, for what they write.
    ///   - exports: what exports name.
    func useCases(
        _ database: PostgresConfiguration, _ pool: PostgresPool, in folder: String, exports: ExportSite = ExportSite(),
        now: @escaping @Sendable () -> Instant = { .now }
    ) async throws -> UseCases {
        let folder = self.folder + "/" + folder
        // No photo is looked at.
        let photos = PhotoSettings(
            store: FolderPhotoStore(folder: folder), renderer: PhotoRenderer(executable: skein.path),
            spool: PhotoSpool(folder: folder), webPs: ConversionCache.Settings(folder: folder), guarded: folder)
        var settings = ExportSettings(store: FolderPhotoStore(folder: folder), folder: folder)
        settings.site = exports
        return try UseCases(
            database, share: Plan.package + "/share", pool: pool, origin: try await LogStart.read(pool),
            photos: photos, exports: settings, now: now, logger: logger)
    }

    /// Runs something with the exports of a database, as `skein export` makes them, when the models have caught up.
    func withFileExports<Value: Sendable>(
        of database: String, _ body: @Sendable (FileExports) async throws -> Value
    ) async throws -> Value {
        let service = try service(database).forExports
        let site = ExportSite(
            address: ServedExports.settings["SKEIN_PUBLIC_URL"],
            organisation: ServedExports.settings["SKEIN_ORGANISATION"],
            contact: ServedExports.settings["SKEIN_CONTACT"])
        return try await PostgresPool.withPool(service, .exports, logger: logger) { pool in
            let cases = try await useCases(service, pool, in: "exporting", exports: site)
            for model in BulkReader.plan.models { try await cases.follower(of: model, logger: logger).catchUp() }
            let settings = cases.exports.settings
            return try await body(cases.exports.files(over: pool, in: settings.folder, disk: settings.disk))
        }
    }
}
