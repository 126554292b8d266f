import Service
import Web

extension PhotoUseCases {
    func routes(on ground: Ground, records: RecordUseCases) -> [any RouteGroup] {
        let uploadRoutes = UploadRoutes(uploads: uploads, log: ground.log)
        return [
            PhotoRoutes(photos: service, webPs: caches.webPs, uploads: uploadRoutes, log: ground.log),
            uploadRoutes,
            PublicPhotoRoutes(
                records: records.reads, files: files, webPs: caches.webPs, log: ground.log,
                catalogue: ground.catalogue, places: ground.places.index),
        ]
    }
}
