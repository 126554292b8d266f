import Foundation
import Service
import Testing

struct PhotoSpoolTests {
    /// Several processes may share the folder.
    @Test func `a starting process removes old uploads, but neither those under way nor those that can be resumed`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-spool-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["left", "under way", "resumable"]
        for name in names {
            let upload = folder.appending(path: name)
            try FileManager.default.createDirectory(at: upload, withIntermediateDirectories: true)
            if name == "under way" { continue }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)], ofItemAtPath: upload.path)
        }
        try PhotoSpool(folder: folder.path).prepare()
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(kept) == ["under way", "resumable"])
    }

    @Test func `processes that start at once remove the same old uploads`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-spool-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for _ in 0..<200 {
            let upload = folder.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: upload, withIntermediateDirectories: true)
            try Data([1]).write(to: upload.appending(path: "original"))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)], ofItemAtPath: upload.path)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try PhotoSpool(folder: folder.path).prepare() } }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
