/// The plain letters under Latin letters with marks or in another style, found by their Unicode names: "é", "Æ", "ᵂ",
/// "🅆", "ʟ", "𝐖".
enum LatinLetters {
    /// Where letters of all styles are; full-width ones are shifted ASCII.
    private static let blocks: [ClosedRange<UInt32>] = [
        0xC0...0x2AF, 0x2B0...0x2FF, 0x1D00...0x1DBF, 0x1E00...0x1EFF, 0x2070...0x209F, 0x2100...0x214F,
        0x249C...0x24E9, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xAB30...0xAB6F, 0xFB00...0xFB06, 0x10780...0x107BA,
        0x1D400...0x1D6A5, 0x1F110...0x1F189, 0x1F1E6...0x1F1FF,
    ]

    private static let letters: [UInt32: String] = {
        var letters: [UInt32: String] = [:]
        for value in blocks.joined() { letters[value] = Unicode.Scalar(value).flatMap(plainLetters) }
        return letters
    }()

    /// "e" for "é", "ae" for "Æ"; nil for anything but such a Latin letter.
    static func base(of scalar: Unicode.Scalar) -> String? {
        letters[scalar.value]
    }

    private static func plainLetters(of scalar: Unicode.Scalar) -> String? {
        guard let name = scalar.properties.name else { return nil }
        let words = name.split(separator: " ")
        let isLatin = words.contains("LATIN")
        guard isLatin || styles.contains(words[0]), let kind = words.lastIndex(where: kinds.contains),
            let letter = words[(kind + 1)...].first(where: { !shapes.contains($0) })
        else { return nil }
        switch letter {
        case "SHARP": return "ss"
        case "ETH": return "d"
        case "THORN": return "th"
        case _ where words[kind] == "LIGATURE": return letter.count <= 3 ? letter.lowercased() : nil
        default: return letter.count <= (isLatin ? 2 : 1) ? letter.lowercased() : nil
        }
    }

    /// The word before the letter.
    private static let kinds: Set<Substring> = ["LETTER", "LIGATURE", "CAPITAL", "SMALL"]
    /// The first words of the names of Latin letters in which "LATIN" does not occur.
    private static let styles: Set<Substring> = [
        "MATHEMATICAL", "MODIFIER", "REGIONAL", "SCRIPT", "DOUBLE-STRUCK", "BLACK-LETTER",
    ]
    private static let shapes: Set<Substring> = ["DOTLESS", "LONG", "OPEN", "SCRIPT", "INSULAR", "BARRED"]
}
