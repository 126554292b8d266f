// Names in characters that are read as Latin letters: "Wоlf" with a Cyrillic "о", "WoIf" with a capital "I", "w01f".
extension Lookalikes {
    /// A comparable form with the letters of other scripts replaced by Latin ones.
    static func latin(_ folded: [UInt8]) -> [UInt8] {
        guard folded.contains(where: { $0 >= 0x80 }) else { return folded }
        var output: [UInt8] = []
        output.reserveCapacity(folded.count)
        for scalar in String(decoding: folded, as: UTF8.self).unicodeScalars {
            if let letter = scripts[scalar]?.asciiValue {
                output.append(letter)
            } else {
                output.append(contentsOf: String(scalar).utf8)
            }
        }
        return output
    }

    /// A word as the eye takes it in. Words that look alike have the same skeleton: an "l" is as good as an "i", "rn"
    /// as "m", "vv" as "w", "cl" as "d".
    static func skeleton(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard word.contains(where: isUnsteady) else { return word }
        var output: [UInt8] = []
        output.reserveCapacity(word.count)
        var rest = word
        while let byte = rest.popFirst() {
            if let next = rest.first, let letter = pair(byte, next) {
                rest.removeFirst()
                output.append(letter)
            } else {
                output.append(byte == UInt8(ascii: "l") ? UInt8(ascii: "i") : byte)
            }
        }
        return output[...]
    }

    /// Whether a letter may be replaced in a skeleton.
    private static func isUnsteady(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "l"), UInt8(ascii: "r"), UInt8(ascii: "v"): true
        default: false
        }
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> UInt8? {
        switch (first, second) {
        case (UInt8(ascii: "r"), UInt8(ascii: "n")): UInt8(ascii: "m")
        case (UInt8(ascii: "v"), UInt8(ascii: "v")): UInt8(ascii: "w")
        case (UInt8(ascii: "c"), UInt8(ascii: "l")): UInt8(ascii: "d")
        default: nil
        }
    }

    /// Reads digits and signs between letters as letters; nil if the word has no such digit or sign, or no letter.
    static func spelled(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var (letters, signs) = (0, 0)
        let output = word.map { byte in
            if NameWords.isLetter(byte) { letters += 1 }
            guard let letter = sign(byte) else { return byte }
            signs += 1
            return letter
        }
        return letters > 0 && signs > 0 ? output.filter(NameWords.isLetter)[...] : nil
    }

    /// Whether a character other than a letter may stand for one.
    static func isSign(_ byte: UInt8) -> Bool {
        sign(byte) != nil
    }

    private static func sign(_ byte: UInt8) -> UInt8? {
        byte < 0x80 ? signs[Int(byte)] : nil
    }

    /// The ASCII characters of ``letters``.
    private static let signs = (0..<UInt8(0x80)).map { byte in
        letters[Character(Unicode.Scalar(byte))]?.asciiValue
    }
}
