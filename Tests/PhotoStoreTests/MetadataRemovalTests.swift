import Foundation
import PhotoStore
import TestSupport
import Testing

/// ExifTool (libimage-exiftool-perl) knows more metadata than libvips, and shares no code with it.
@Suite(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
struct MetadataRemovalTests {
    /// Groups of what ExifTool finds in any JPEG file; the colour profile is kept. A comment is in "File", too.
    private static let harmless: Set = ["ExifTool", "File", "Composite", "JFIF", "ICC_Profile"]

    /// The tags that must not be in a rendition, such as EXIF:GPSLatitude, and the number of files read.
    private static func metadata(below folder: String) throws -> (tags: Set<String>, files: Int) {
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/bin/exiftool")
        tool.arguments = ["-json", "-recurse", "-groupNames", "-duplicates", "-unknown2", "-extractEmbedded", folder]
        let output = Pipe()
        (tool.standardOutput, tool.standardError) = (output, FileHandle.nullDevice)
        try tool.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        tool.waitUntilExit()
        let files = try #require(try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
        let tags = Set(files.flatMap(\.keys)).filter {
            $0 == "File:Comment" || $0.contains(":") && !harmless.contains(String($0.prefix { $0 != ":" }))
        }
        return (tags, files.count)
    }

    private static var names: [String] {
        FileManager.default.enumerator(atPath: PhotoFiles.path(""))?
            .compactMap { $0 as? String }
            .filter { ["jpg", "png", "webp"].contains(URL(filePath: $0).pathExtension) }
            .sorted() ?? []
    }

    @Test func `no rendition of any photo has metadata`() async throws {
        try await PhotoFiles.withFolder { folder in
            var rendered = 0
            for (index, name) in Self.names.enumerated() {
                let own = "\(folder)/\(index)"
                try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
                do {
                    rendered += try await PhotoFiles.renderer().render(PhotoFiles.path(name), into: own)
                        .renditions.count
                } catch RenderError.broken {
                    #expect(name.contains("broken") || name.contains("truncated"), "\(name) is rejected")
                }
            }
            #expect(rendered > 100, "most photos are sound")
            let found = try Self.metadata(below: folder)
            #expect(found.files == rendered && found.tags == [])
        }
    }

    @Test func `ExifTool finds the metadata of the originals`() throws {
        let found = try Self.metadata(below: PhotoFiles.path(""))
        #expect(
            found.tags.isSuperset(of: ["EXIF:GPSLatitude", "EXIF:SerialNumber", "EXIF:ThumbnailImage", "File:Comment"]),
            "else the other test proves nothing")
    }
}
