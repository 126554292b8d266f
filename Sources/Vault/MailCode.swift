import Crypto

/// A code that a mail carries: 120 random bits in 24 letters and digits that are not mistaken for one another, in
/// groups of four. Only its digest is stored.
/// - Source: the alphabet is Crockford's base 32.
package struct MailCode: Sendable {
    /// `7QKM-2F9D-…`
    package let text: String

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 24

    /// Makes a new code from the system's secure generator.
    package init() {
        self.init((0..<Self.length).map { _ in Self.alphabet[Int.random(in: 0..<32)] })
    }

    /// Reads a code in any case, with or without hyphens and spaces; O counts as 0, and I and L as 1. Nil: it cannot be
    /// one of ours.
    package init?(presented text: String) {
        guard text.utf8.count <= 100 else { return nil }
        var characters: [Character] = []
        for character in text.uppercased() where character != "-" && !character.isWhitespace {
            switch character {
            case "O": characters.append("0")
            case "I", "L": characters.append("1")
            default: characters.append(character)
            }
        }
        guard characters.count == Self.length, characters.allSatisfy(Self.alphabet.contains) else { return nil }
        self.init(characters)
    }

    private init(_ characters: [Character]) {
        text = stride(from: 0, to: characters.count, by: 4).map { String(characters[$0..<$0 + 4]) }
            .joined(separator: "-")
    }

    /// SHA-256 of the text: what is stored.
    package var digest: [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}

extension MailCode: CustomStringConvertible, CustomReflectable {
    /// Never the code.
    package var description: String { "redacted" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
