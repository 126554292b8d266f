import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// An operator's `skein photos check`, `render` and `sweep`, beside the running service.
@Suite(.served, .serialized)
struct PhotoUpkeepTests {
    /// The files of the photo store, by their digests.
    private func files(of service: ServedSkein) -> [String: URL] {
        let folder = URL(filePath: service.folder + "/data/photos")
        let files =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL } ?? []
        let named = files.filter { $0.lastPathComponent.count == 64 }.map { ($0.lastPathComponent, $0) }
        return Dictionary(named) { first, _ in first }
    }

    /// Adds a photo whose original has bytes of its own after the image's end.
    private func addPhoto(by birder: Birder) async throws -> (id: String, original: String) {
        let sighting = try #require(try await birder.submit().text("id"))
        let added = try await birder.addPhoto(to: sighting, Array(TestPhoto.jpeg) + Array(UUID().uuidString.utf8))
        return (try #require(added.text("id")), try #require(added.text("sha256")))
    }

    @Test func `photos check names what is missing or altered, and render makes missing sizes again`() async throws {
        let service = try ServedSkein.required
        let (id, original) = try await addPhoto(by: try await Birder.register(service))
        #expect(try await service.command(["photos", "check"]).contains("0 missing, 0 altered, 0 orphaned"))

        let thumb = try #require(files(of: service).first { $0.key != original })
        try FileManager.default.removeItem(at: thumb.value)
        #expect(try await service.command(["photos", "check"], status: 1).contains("missing\t\(thumb.key)\t\(id)\n"))
        #expect(try await service.command(["photos", "render", "--photo", id]).contains("1 photos"))
        #expect(try await service.command(["photos", "check"]).contains("0 missing, 0 altered, 0 orphaned"))

        let file = try #require(files(of: service)[original])
        let bytes = try Data(contentsOf: file)
        try (bytes + [0]).write(to: file)
        #expect(try await service.command(["photos", "check"], status: 1).contains("altered\t\(original)\t\(id)\n"))
        try bytes.write(to: file)
    }

    @Test func `photos sweep removes the bytes of deleted photos after a day, and no others`() async throws {
        let service = try ServedSkein.required
        let birder = try await Birder.register(service)
        let (kept, deleted) = (try await addPhoto(by: birder), try await addPhoto(by: birder))
        let path = "/v1/me/photos/\(deleted.id)"
        #expect(try await birder.send(.DELETE, path, headers: ["If-Match": "*"]).status == 204)
        #expect(try await service.command(["photos", "sweep"]).contains(" 0 removed"))
        for file in files(of: service).values {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: file.path)
        }
        let swept = try await service.command(["photos", "sweep"])
        #expect(swept.contains(deleted.original) && swept.contains(" 1 removed"))
        let left = files(of: service)
        #expect(left[deleted.original] == nil && left[kept.original] != nil)
        #expect(try await service.command(["photos", "check"]).contains("0 missing, 0 altered, 0 orphaned"))
    }
}
