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
        let (store, folder) = try Self.store(.photoStore, "photos", in: dataDirectory, environment)
        let disk = DiskSpace(
            of: [dataDirectory] + (folder.map { [$0] } ?? []), reserve: try environment.limit(of: .diskReserve))
        self.init(
            store: store, renderer: PhotoRenderer(executable: program),
            spool: PhotoSpool(folder: dataDirectory + "/uploads", disk: disk),
            webPs: try Self.webPs(environment, folder: dataDirectory + "/webp"),
            guarded: dataDirectory + "/guarded", quota: quota)
    }

    private static func webPs(_ environment: Environment, folder: String) throws -> ConversionCache.Settings {
        var settings = ConversionCache.Settings(folder: folder)
        settings.bytes = try environment.value(of: .webPBytes) ?? settings.bytes
        return settings
    }

    /// The store of a setting.
    /// - Parameter name: of the default folder, in the data directory.
    /// - Returns: also the folder of its files; nil if they are in a bucket.
    /// - Throws: ``SettingError``.
    static func store(
        _ setting: Setting, _ name: String, in dataDirectory: String, _ environment: Environment
    ) throws -> (store: any PhotoStore, folder: String?) {
        let place = environment[setting] ?? "\(dataDirectory)/\(name)"
        guard place.contains("://") else { return (FolderPhotoStore(folder: place), place) }
        do {
            return (S3PhotoStore(try S3Location(place), try credentials(environment)), nil)
        } catch let error as S3Location.Invalid {
            throw SettingError(setting, error.rule)
        }
    }

    private static func credentials(_ environment: Environment) throws -> S3Credentials {
        func required(_ setting: Setting) throws -> String {
            guard let value = environment[setting] else {
                throw SettingError(setting, "is needed for files in S3")
            }
            return value
        }
        return S3Credentials(
            accessKey: try required(.accessKey), secretKey: try required(.secretKey),
            sessionToken: environment[.sessionToken])
    }
}
