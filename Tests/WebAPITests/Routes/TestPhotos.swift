import Foundation
import NIOCore
import PhotoStore
import Service
import TestSupport

/// Photos of tests: kept in a temporary folder, rendered by the `skein` that was built beside the tests.
enum TestPhotos {
    /// The bytes of `TestPhoto`.
    static let jpeg = ByteBuffer(bytes: TestPhoto.jpeg)

    static func settings() throws -> PhotoSettings {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-photos-\(UUID())").path
        let skein = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "skein").path
        let spool = PhotoSpool(folder: folder + "/uploads")
        try spool.prepare()
        return PhotoSettings(
            store: FolderPhotoStore(folder: folder + "/photos"), renderer: PhotoRenderer(executable: skein),
            spool: spool)
    }
}
