// Names in characters that are read as Latin letters: "Wоlf" with a Cyrillic "о", "𝐖𝐨𝐥𝐟", "w01f".
extension Lookalikes {
    /// A comparable form with its Cyrillic, Greek, mathematical and circled letters replaced by Latin ones.
    static func latin(_ folded: [UInt8]) -> [UInt8] {
        guard folded.contains(where: { $0 >= 0x80 }) else { return folded }
        var output: [UInt8] = []
        output.reserveCapacity(folded.count)
        for scalar in String(decoding: folded, as: UTF8.self).unicodeScalars {
            if let letter = letter(for: scalar) {
                output.append(letter)
            } else {
                output.append(contentsOf: String(scalar).utf8)
            }
        }
        return output
    }

    /// Reads digits and signs between letters as letters; nil if the word has no such digit or sign, or no letter.
    /// - Parameter one: the letter that a 1, "!" or "|" stands for: "l" or "i".
    static func spelled(_ word: ArraySlice<UInt8>, one: UInt8) -> [UInt8]? {
        var (letters, signs) = (0, 0)
        let output = word.map { byte in
            if NameWords.isLetter(byte) { letters += 1 }
            guard let letter = sign(byte, one: one) else { return byte }
            signs += 1
            return letter
        }
        return letters > 0 && signs > 0 ? output.filter(NameWords.isLetter) : nil
    }

    /// Whether a character other than a letter may stand for one.
    static func isSign(_ byte: UInt8) -> Bool {
        sign(byte, one: 0) != nil
    }

    private static func sign(_ byte: UInt8, one: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "1"), UInt8(ascii: "!"), UInt8(ascii: "|"): one
        case 0..<0x80: signs[Int(byte)]
        default: nil
        }
    }

    /// The ASCII characters of ``letters``.
    private static let signs = (0..<UInt8(0x80)).map { byte in
        letters[Character(Unicode.Scalar(byte))]?.asciiValue
    }

    private static func letter(for scalar: Unicode.Scalar) -> UInt8? {
        let a = UInt32(UInt8(ascii: "a"))
        switch scalar.value {
        case 0x1D400...0x1D6A3: return UInt8(a + (scalar.value - 0x1D400) % 26)
        case 0x24B6...0x24E9: return UInt8(a + (scalar.value - 0x24B6) % 26)
        default: return scripts[scalar]?.asciiValue
        }
    }
}
