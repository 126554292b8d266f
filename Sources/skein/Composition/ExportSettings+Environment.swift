import Foundation
import PhotoStore
import Service

extension ExportSettings {
    /// Reads the settings.
    /// - Throws: ``SettingError``.
    init(dataDirectory: String, environment: Environment = .process) throws {
        guard environment[.exportStore] == nil || environment[.exportStore] != environment[.photoStore] else {
            throw SettingError(.exportStore, "must be another place than SKEIN_PHOTO_STORE, whose sweep would empty it")
        }
        let (store, folder) = try PhotoSettings.store(.exportStore, "exports", in: dataDirectory, environment)
        let disk = DiskSpace(
            of: [dataDirectory] + (folder.map { [$0] } ?? []), reserve: try environment.limit(of: .diskReserve))
        self.init(store: store, folder: dataDirectory + "/exporting", disk: disk)
        storedBytes = try environment.limit(of: .exportBytes)
        limits.unfinished = try environment.limit(of: .unfinishedExports)
        limits.perDay = try environment.limit(of: .exportsPerDay)
        limits.unverifiedPerDay = try environment.limit(of: .unverifiedExports)
        limits.waiting = try environment.limit(of: .waitingExports)
        limits.remakes = try environment.limit(of: .remakes)
        limits.duration = try environment.limit(of: .exportTime).map { .seconds($0) }
        limits.bytes = try environment.limit(of: .exportFileBytes)
        site = ExportSite(
            address: try environment.address(.publicURL), organisation: try environment.line(.organisation),
            contact: try environment.line(.contact))
    }
}

extension Environment {
    /// An http or https address, without a slash at its end.
    /// - Throws: ``SettingError``.
    func address(_ setting: Setting) throws -> String? {
        guard let text = self[setting] else { return nil }
        let scheme = ["https://", "http://"].first(where: text.hasPrefix)
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>#?\\^`{|}".utf8.contains($0) }
        guard let scheme, isPlain, let url = URL(string: text), url.host?.isEmpty == false, text.count > scheme.count
        else {
            throw SettingError(
                setting,
                "must be an http or https URL without query and fragment, such as https://sightings.example.org")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// One line of text.
    /// - Throws: ``SettingError``.
    fileprivate func line(_ setting: Setting) throws -> String? {
        guard let text = self[setting] else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard isPlain, text.count <= 200, !text.hasPrefix(" "), !text.hasSuffix(" ") else {
            throw SettingError(
                setting, "must be at most 200 characters without line breaks, and without spaces at either end")
        }
        return text
    }
}
