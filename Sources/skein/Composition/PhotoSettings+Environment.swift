import Foundation
import PhotoStore
import Service
import Vault

extension PhotoSettings {
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
        guard let place = environment[.photoStore] else { return dataDirectory + "/photos" }
        return place.contains("://") ? nil : place
    }

    private static func bucket(_ environment: Environment) throws -> any PhotoStore {
        let place = environment[.photoStore] ?? ""
        do {
            return S3PhotoStore(try S3Location(place), try credentials(environment))
        } catch let error as S3Location.Invalid {
            throw SettingError(.photoStore, error.rule)
        }
    }

    private static func credentials(_ environment: Environment) throws -> S3Credentials {
        func required(_ setting: Setting) throws -> String {
            guard let value = environment[setting] else {
                throw SettingError(setting, "is needed for photos in S3")
            }
            return value
        }
        return S3Credentials(
            accessKey: try required(.accessKey), secretKey: try required(.secretKey),
            sessionToken: environment[.sessionToken])
    }
}
