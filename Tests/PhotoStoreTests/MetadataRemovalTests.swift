import Foundation
import PhotoStore
import TestSupport
import Testing

@Suite(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
struct MetadataRemovalTests {
    private static var names: [String] {
        FileManager.default.enumerator(atPath: PhotoFiles.path(""))?
            .compactMap { $0 as? String }
            .filter { ["jpg", "png", "webp"].contains(URL(filePath: $0).pathExtension) }
            .sorted() ?? []
    }

    /// The WebP that is made of the largest one included.
    @Test func `no rendition of any photo has metadata`() async throws {
        try await PhotoFiles.withFolder { folder in
            var rendered = 0
            for (index, name) in Self.names.enumerated() {
                let own = "\(folder)/\(index)"
                try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
                do {
                    let renderer = PhotoFiles.renderer()
                    let renditions = try await renderer.render(PhotoFiles.path(name), into: own).renditions
                    _ = try await renderer.webP(of: try #require(renditions.last).path, into: own)
                    rendered += renditions.count + 1
                } catch RenderError.broken {
                    #expect(name.contains("broken") || name.contains("truncated"), "\(name) is rejected")
                }
            }
            #expect(rendered > 100, "most photos are sound")
            let found = try await ImageMetadata.tags(below: folder)
            #expect(found.files == rendered && found.tags == [])
        }
    }

    @Test func `ExifTool finds the metadata of the originals`() async throws {
        let found = try await ImageMetadata.tags(below: PhotoFiles.path(""))
        #expect(
            found.tags.isSuperset(of: ["EXIF:GPSLatitude", "EXIF:SerialNumber", "EXIF:ThumbnailImage", "File:Comment"]),
            "else the other test proves nothing")
    }
}
