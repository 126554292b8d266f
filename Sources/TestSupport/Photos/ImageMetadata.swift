import Foundation

/// Metadata as ExifTool (libimage-exiftool-perl) finds it, which knows more kinds than libvips and shares no code with
/// it.
package enum ImageMetadata {
    /// Groups of what ExifTool finds in any JPEG or WebP file; the colour profile is kept. A comment is in "File", too.
    private static let harmless: Set = ["ExifTool", "File", "Composite", "JFIF", "RIFF", "ICC_Profile"]

    /// The tags that must not be in a rendition, such as EXIF:GPSLatitude, and the number of images read.
    /// - Throws: where ExifTool cannot be run; `CocoaError` for an answer that cannot be read.
    package static func tags(below folder: String) async throws -> (tags: Set<String>, files: Int) {
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/bin/exiftool")
        tool.arguments = ["-json", "-recurse", "-groupNames", "-duplicates", "-unknown2", "-extractEmbedded", folder]
        tool.standardError = FileHandle.nullDevice
        let bytes = Data(try await tool.output().utf8)
        guard let files = try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let tags = Set(files.flatMap(\.keys)).filter {
            $0 == "File:Comment" || $0.contains(":") && !harmless.contains(String($0.prefix { $0 != ":" }))
        }
        return (tags, files.count)
    }
}
