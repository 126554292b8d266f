internal import Crypto
internal import FoundationEssentials

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
