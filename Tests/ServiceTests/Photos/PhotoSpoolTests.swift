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
}
