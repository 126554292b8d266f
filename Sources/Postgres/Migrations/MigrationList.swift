import Bytes
import Crypto
import FoundationEssentials

/// All migrations of a program, in order and without gaps.
package struct MigrationList: Hashable, Sendable {
    /// Numbers 1, 2, 3 ….
    package let migrations: [Migration]

    /// Checks the numbering of files that come in any order.
    ///
    /// - Throws: ``MigrationError/badName(_:)``, ``MigrationError/duplicate(_:_:)``, ``MigrationError/gap(missing:)``.
    package init(files: [(name: String, text: String)]) throws(MigrationError) {
        var migrations: [Migration] = []
        for file in files.sorted(by: { $0.name < $1.name }) {
            let migration = try Migration(fileName: file.name, text: file.text)
            if let last = migrations.last, last.number == migration.number {
                throw .duplicate(last.name, migration.name)
            }
            guard migration.number == migrations.count + 1 else { throw .gap(missing: migrations.count + 1) }
            migrations.append(migration)
        }
        self.migrations = migrations
    }

    /// A digest of names and texts: two lists with the same one make the same schema.
    package var digest: String {
        let parts = migrations.flatMap { [$0.name, $0.checksum] }
        return Hexadecimal.digits(of: SHA256.hash(data: Data(parts.joined(separator: "\n").utf8)))
    }
}

/// One step of the schema: a file `NNNN_verb_object.sql`, never edited once it has been applied anywhere.
package struct Migration: Hashable, Sendable {
    /// The number at the start of the name; the first migration is 1.
    package let number: Int
    /// The file's name, such as `0001_create_roles.sql`.
    package let name: String
    /// The statements.
    package let text: String
    /// SHA-256 of the text, in hexadecimal digits.
    package let checksum: String
    /// Whether programs without this migration cannot work on a database that has it: its first line is `--
    /// incompatible`, alone or followed by a colon and the reason.
    package var isIncompatible: Bool { text.prefix { !$0.isNewline }.contains(/^-- incompatible *(:.*)?$/) }

    /// Takes a file's name and contents.
    ///
    /// - Throws: ``MigrationError/badName(_:)`` when the name is not four digits, a verb and an object.
    package init(fileName: String, text: String) throws(MigrationError) {
        guard let match = fileName.wholeMatch(of: /([0-9]{4})_[a-z]+(_[a-z0-9]+)+\.sql/), let number = Int(match.1)
        else { throw .badName(fileName) }
        self.number = number
        name = fileName
        self.text = text
        checksum = Hexadecimal.digits(of: SHA256.hash(data: Data(text.utf8)))
    }

    /// The line of the text with this character, both counted from 1, as the server counts an error's position.
    func line(atCharacter position: Int) -> Int {
        // The server counts code points; `\r\n` is one `Character`, but two of those.
        text.unicodeScalars.prefix(max(0, position - 1)).count { $0 == "\n" } + 1
    }
}

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
