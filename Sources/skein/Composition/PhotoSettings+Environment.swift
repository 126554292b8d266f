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
                              what an account may send a day (UTC; default: \(usual(.photos)) photos, \
        \(usual(.photoBytes)) bytes)
          SKEIN_UNVERIFIED_DAILY_PHOTO_BYTES
                              the bytes, until its address is verified (default: \
        \(usual(.unverifiedPhotoBytes)))
          SKEIN_UNFINISHED_UPLOAD_BYTES
                              bytes of the unfinished uploads of all accounts (default: \(usual(.unfinishedBytes)))
          SKEIN_DISK_RESERVE  bytes that photos must leave free on the disk (default: \(usual(.diskReserve)))
          SKEIN_WEBP_CACHE_BYTES
                              bytes of the WebP files in the data directory (default: \(usual(.webPBytes));
                              0: JPEG only)
        """

    private static func usual(_ setting: NumberSetting) -> String { setting.usualText }

    /// Reads the settings.
    /// - Throws: ``SettingError``.
    init(dataDirectory: String, environment: Environment = .process) throws {
        let quota = PhotoQuotas.Limits(
            photos: try environment.limit(of: .photos), bytes: try environment.limit(of: .photoBytes),
            unverifiedBytes: try environment.limit(of: .unverifiedPhotoBytes),
            unfinishedBytes: try environment.limit(of: .unfinishedBytes))
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let folder = Self.folder(environment, in: dataDirectory)
        let disk = DiskSpace(
            of: [dataDirectory] + (folder.map { [$0] } ?? []), reserve: try environment.limit(of: .diskReserve))
        self.init(
            store: try folder.map { FolderPhotoStore(folder: $0) } ?? Self.bucket(environment),
            renderer: PhotoRenderer(executable: program),
            spool: PhotoSpool(folder: dataDirectory + "/uploads", disk: disk),
            webPs: try Self.webPs(environment, folder: dataDirectory + "/webp"),
            guarded: dataDirectory + "/guarded", quota: quota)
    }

    private static func webPs(_ environment: Environment, folder: String) throws -> ConversionCache.Settings {
        var settings = ConversionCache.Settings(folder: folder)
        settings.bytes = try environment.value(of: .webPBytes) ?? settings.bytes
        return settings
    }

    /// The folder of the photos; nil if they are in a bucket.
    private static func folder(_ environment: Environment, in dataDirectory: String) -> String? {
        guard let place = environment["SKEIN_PHOTO_STORE"] else { return dataDirectory + "/photos" }
        return place.contains("://") ? nil : place
    }

    private static func bucket(_ environment: Environment) throws -> any PhotoStore {
        let name = "SKEIN_PHOTO_STORE"
        let place = environment[name] ?? ""
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
