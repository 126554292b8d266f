/// Signs that are read as letters.
enum Lookalikes {
    /// Digits and signs that people write for letters.
    static let letters: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g",
        "@": "a", "$": "s", "!": "i", "|": "l", "+": "t", "€": "e",
    ]

    /// Letters of other scripts that look like Latin ones, in lower case.
    /// - Source: Unicode Technical Standard 39, confusables; those that spell English words.
    static let scripts: [Unicode.Scalar: Character] = [
        // Cyrillic
        "а": "a", "в": "b", "г": "r", "с": "c", "ԁ": "d", "е": "e", "ғ": "f", "һ": "h", "і": "i", "ї": "i", "ј": "j",
        "к": "k", "ӏ": "l", "м": "m", "н": "n", "п": "n", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "ц": "u",
        "ѵ": "v",
        "ԝ": "w", "ш": "w", "х": "x", "у": "y",
        // Greek
        "α": "a", "β": "b", "γ": "y", "ϲ": "c", "ε": "e", "η": "n", "ι": "i", "κ": "k", "λ": "l", "μ": "m", "ν": "v",
        "ο": "o", "ρ": "p", "σ": "o", "τ": "t", "υ": "u", "χ": "x", "ω": "w",
        // Armenian, Latin of phonetics, small capitals
        "ո": "n", "ս": "u", "օ": "o", "ɑ": "a", "ɡ": "g", "ɩ": "i", "ı": "i", "ɴ": "n", "ᴀ": "a", "ᴅ": "d", "ᴇ": "e",
        "ɪ": "i", "ᴋ": "k", "ʟ": "l", "ᴍ": "m", "ᴏ": "o", "ᴘ": "p", "ʀ": "r", "ꜱ": "s", "ᴛ": "t", "ᴜ": "u",
    ]
}
