import Foundation
import PhotoStore
import TestSupport

/// Real photos, and a folder for what is made of them.
enum PhotoFiles {
    static func path(_ name: String) -> String { TestData.url("photos/\(name)").path }

    /// The test programs are built beside `skein`.
    static let skein = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "skein").path

    static func renderer(_ limits: RenderLimits = RenderLimits()) -> PhotoRenderer {
        PhotoRenderer(executable: skein, limits: limits)
    }

    static func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    static func digest(_ bytes: [UInt8]) -> PhotoDigest {
        var hasher = PhotoHasher()
        hasher.update(bytes)
        return hasher.digest
    }
}
