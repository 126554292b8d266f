import FoundationEssentials
import Glibc

/// Folders in which fixtures keep files as long as the process runs: those of a suite, or of two services that share a
/// store. They are removed when the process exits.
package enum SharedFolders {
    private static let parent: String = {
        let path = FileManager.default.temporaryDirectory.appending(path: "skein-folders-\(UUID())").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { SharedFolders.remove() }
        return path
    }()

    /// The path of another folder, which does not exist yet.
    package static func path(_ name: String) -> String { "\(parent)/\(name)-\(UUID())" }

    private static func remove() { try? FileManager.default.removeItem(atPath: parent) }
}
