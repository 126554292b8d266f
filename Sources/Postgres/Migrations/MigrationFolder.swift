internal import FoundationEssentials

/// A folder of migrations: every file in it that ends in `.sql`.
package struct MigrationFolder: Hashable, Sendable {
    /// Where it is.
    package let path: String

    /// Names a folder; nothing is read yet.
    package init(path: String) {
        self.path = path
    }

    /// Reads all files.
    ///
    /// - Throws: ``MigrationError/unreadable(path:reason:)`` (the folder or a file, or text that is not UTF-8), and
    ///   what ``MigrationList/init(files:)`` throws.
    package func load() throws(MigrationError) -> MigrationList {
        var files: [(name: String, text: String)] = []
        for name in try names() where name.hasSuffix(".sql") {
            files.append((name, try text(of: path + "/" + name)))
        }
        return try MigrationList(files: files)
    }

    private func names() throws(MigrationError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .unreadable(path: path, reason: "no such folder, or no right to read it")
        }
    }

    private func text(of file: String) throws(MigrationError) -> String {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .unreadable(path: file, reason: "it could not be read")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw .unreadable(path: file, reason: "it is not UTF-8")
        }
        return text
    }
}
