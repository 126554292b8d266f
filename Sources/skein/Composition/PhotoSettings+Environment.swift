import Foundation
import PhotoStore
import Service
import Vault

extension PhotoSettings {
    static let environmentHelp = """
          SKEIN_PHOTO_STORE   the folder of the photos (default: photos in the data directory), or
                              s3://bucket/prefix?endpoint=https://…&region=…&style=path|virtual
          AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
                              the keys of the bucket
          SKEIN_PHOTOS_PER_DAY, SKEIN_PHOTO_BYTES_PER_DAY
                              what an account may send in one day, UTC (default: 200 photos, 1000000000 bytes)
          SKEIN_WEBP_CACHE_BYTES
                              bytes of the WebP files in the data directory (default: 1000000000; 0: JPEG only)
        """

    /// Reads the settings.
    /// - Throws: ``SettingError``.
    init(dataDirectory: String, environment: Environment = .process) throws {
        var quota = PhotoQuotas.Limits()
        quota.photos = try environment.number("SKEIN_PHOTOS_PER_DAY", in: 0...1_000_000) ?? quota.photos
        quota.bytes =
            try environment.number("SKEIN_PHOTO_BYTES_PER_DAY", in: 0...1_000_000_000_000) ?? quota.bytes
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        self.init(
            store: try Self.store(environment, folder: dataDirectory + "/photos"),
            renderer: PhotoRenderer(executable: program), spool: PhotoSpool(folder: dataDirectory + "/uploads"),
            webPs: try Self.webPs(environment, folder: dataDirectory + "/webp"), quota: quota)
    }

    private static func webPs(_ environment: Environment, folder: String) throws -> WebPCache.Settings {
        var settings = WebPCache.Settings(folder: folder)
        settings.bytes =
            try environment.number("SKEIN_WEBP_CACHE_BYTES", in: 0...1_000_000_000_000) ?? settings.bytes
        return settings
    }

    private static func store(_ environment: Environment, folder: String) throws -> any PhotoStore {
        let name = "SKEIN_PHOTO_STORE"
        guard let place = environment[name] else { return FolderPhotoStore(folder: folder) }
        guard place.contains("://") else { return FolderPhotoStore(folder: place) }
        do {
            return S3PhotoStore(try S3Location(place), try credentials(environment))
        } catch let error as S3Location.Invalid {
            throw SettingError(setting: name, rule: error.rule)
        }
    }

    private static func credentials(_ environment: Environment) throws -> S3Credentials {
        func required(_ name: String) throws -> String {
            guard let value = environment[name] else {
                throw SettingError(setting: name, rule: "is needed for photos in S3")
            }
            return value
        }
        return S3Credentials(
            accessKey: try required("AWS_ACCESS_KEY_ID"), secretKey: try required("AWS_SECRET_ACCESS_KEY"),
            sessionToken: environment["AWS_SESSION_TOKEN"])
    }
}
