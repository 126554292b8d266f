import Foundation
import PhotoStore
import Service
import TestSupport

/// Exports of tests: kept in a temporary folder.
enum TestExports {
    /// - Parameters:
    ///   - limits: none where nothing is said.
    ///   - free: looks up the free bytes of the disk, of which 1,000 must stay free; nil for a disk without reserve.
    static func settings(
        _ limits: ExportSettings.Limits? = nil, site: ExportSite = ExportSite(), free: (@Sendable () -> Int)? = nil
    ) -> ExportSettings {
        let folder = SharedFolders.path("exports")
        let disk = free.map { free in DiskSpace(of: [folder], reserve: 1000) { _ in free() } }
        var settings = ExportSettings(
            store: FolderPhotoStore(folder: folder + "/store"), folder: folder + "/making", disk: disk)
        settings.limits = limits ?? none
        settings.site = site
        return settings
    }

    private static var none: ExportSettings.Limits {
        var limits = ExportSettings.Limits()
        (limits.unfinished, limits.perDay, limits.unverifiedPerDay) = (nil, nil, nil)
        (limits.waiting, limits.remakes) = (nil, nil)
        (limits.duration, limits.bytes) = (nil, nil)
        return limits
    }
}

extension ExportSettings {
    /// Those of another process that has the same store.
    var ofAnotherProcess: ExportSettings {
        var settings = self
        settings.folder += "-\(UUID())"
        return settings
    }
}
