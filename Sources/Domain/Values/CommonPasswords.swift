/// Passwords that are tried first, and what people make of them: other letters for some, digits and signs around them.
package struct CommonPasswords: Sendable, ExpressibleByArrayLiteral {
    private let whole: Set<String>
    private let stems: Set<String>

    /// - Parameter passwords: compared without regard to case.
    package init(_ passwords: some Sequence<String>) {
        whole = Set(passwords.map { $0.lowercased() })
        stems = Set(whole.map(Self.stem).filter { $0.count >= Self.shortestStem })
    }

    package init(arrayLiteral passwords: String...) {
        self.init(passwords)
    }

    /// How many there are.
    package var count: Int { whole.count }

    /// Whether a password is one of them, or one of them in disguise, such as "P@ssw0rd123".
    func contains(_ secret: String) -> Bool {
        whole.contains(secret.lowercased()) || stems.contains(Self.stem(secret.lowercased()))
    }

    /// Shorter words are too many to reject.
    private static let shortestStem = 6

    /// The word without the digits and signs around it, with letters for the signs within that look like them.
    private static func stem(_ text: String) -> String {
        let isLetter = { (character: Character) in character.isLetter }
        guard let first = text.firstIndex(where: isLetter), let last = text.lastIndex(where: isLetter) else {
            return ""
        }
        return String(text[first...last].map { Lookalikes.letters[$0] ?? $0 })
    }
}

/// Signs that are read as letters.
enum Lookalikes {
    /// Digits and signs that people write for letters.
    static let letters: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "@": "a", "$": "s", "!": "i",
        "|": "l", "+": "t", "€": "e",
    ]

    /// Letters of other scripts that look like Latin ones, in lower case.
    /// - Source: Unicode Technical Standard 39, confusables; those that spell English words.
    static let scripts: [Unicode.Scalar: Character] = [
        // Cyrillic
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "ғ": "f", "һ": "h", "і": "i", "ї": "i", "ј": "j", "к": "k",
        "ӏ": "l", "м": "m", "н": "n", "п": "n", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "ц": "u", "ѵ": "v",
        "ԝ": "w", "х": "x", "у": "y",
        // Greek
        "α": "a", "β": "b", "ϲ": "c", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "m", "ν": "v", "ο": "o", "ρ": "p",
        "σ": "o", "τ": "t", "υ": "u", "χ": "x", "ω": "w",
        // Armenian, Latin of phonetics, small capitals
        "ո": "n", "ս": "u", "օ": "o", "ɑ": "a", "ɡ": "g", "ɩ": "i", "ı": "i", "ɴ": "n", "ᴀ": "a", "ᴅ": "d", "ᴇ": "e",
        "ɪ": "i", "ᴋ": "k", "ʟ": "l", "ᴍ": "m", "ᴏ": "o", "ᴘ": "p", "ʀ": "r", "ꜱ": "s", "ᴛ": "t", "ᴜ": "u",
    ]
}
