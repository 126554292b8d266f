import Foundation
import PhotoStore
import TestSupport

/// Real photos, and a folder for their renditions.
enum PhotoFiles {
    static func path(_ name: String) -> String { TestData.url("photos/\(name)").path }

    /// The test programs are built beside `skein`.
    static let skein = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "skein").path

    /// The limits of a service, but with time for a machine that is busy with other tests.
    static let limits: RenderLimits = {
        var limits = RenderLimits()
        limits.seconds = Int(Hang.deadline.components.seconds)
        return limits
    }()

    static func renderer(_ limits: RenderLimits = PhotoFiles.limits) -> PhotoRenderer {
        PhotoRenderer(executable: skein, limits: limits)
    }

    static func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// A store in a folder that keeps the digests of single bytes: 1, 2, 3 and so on.
    static func filledStore(_ count: UInt8, in folder: String) async throws -> (FolderPhotoStore, [SHA256Sum]) {
        let store = FolderPhotoStore(folder: folder + "/photos")
        var digests: [SHA256Sum] = []
        for byte in 1...count {
            digests.append(digest([byte]))
            try await put(byte, into: store, folder)
        }
        return (store, digests)
    }

    static func put(_ byte: UInt8, into store: FolderPhotoStore, _ folder: String) async throws {
        try Data([byte]).write(to: URL(filePath: folder + "/photo"))
        try await store.put(folder + "/photo", as: digest([byte]))
    }

    /// Where such a store keeps a digest.
    static func path(of digest: SHA256Sum, in folder: String) -> String {
        let name = digest.description
        return "\(folder)/photos/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
    }

    static func digest(_ bytes: [UInt8]) -> SHA256Sum {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.digest
    }
}
