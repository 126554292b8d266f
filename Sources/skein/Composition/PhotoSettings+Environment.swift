import Foundation
import PhotoStore
import Service
import Vault

extension PhotoSettings {
    static let environmentHelp = """
          SKEIN_PHOTO_STORE   the folder of the photos (default: photos in the data directory)
          SKEIN_PHOTOS_PER_DAY, SKEIN_PHOTO_BYTES_PER_DAY
                              what an account may send in one day, UTC (default: 200 photos, 1000000000 bytes)
        """

    /// Reads the settings.
    /// - Throws: ``SettingError``.
    init(dataDirectory: String, environment: Environment = .process) throws {
        let folder = environment["SKEIN_PHOTO_STORE"] ?? dataDirectory + "/photos"
        guard !folder.contains("://") else {
            throw SettingError(setting: "SKEIN_PHOTO_STORE", rule: "must be a folder")
        }
        var quota = PhotoQuotas.Limits()
        quota.photos = try environment.number("SKEIN_PHOTOS_PER_DAY", in: 0...1_000_000) ?? quota.photos
        quota.bytes =
            try environment.number("SKEIN_PHOTO_BYTES_PER_DAY", in: 0...1_000_000_000_000) ?? quota.bytes
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        self.init(
            store: FolderPhotoStore(folder: folder), renderer: PhotoRenderer(executable: program),
            spool: PhotoSpool(folder: dataDirectory + "/uploads"), quota: quota)
    }
}
