/// Decides, line by line, whether a file without a byte order mark is in UTF-8 or in Windows-1252.
///
/// A line with non-ASCII characters that is valid UTF-8 is not so by chance: in Windows-1252 it would consist of
/// symbols that no word has side by side. So one such line makes the file UTF-8, and lines that are not valid are
/// damaged. Only a file with invalid lines and no such line is in Windows-1252.
struct EncodingEvidence {
    private var lineHasCharacters = false
    private var lineIsBroken = false
    private var isAnyLineBroken = false
    /// How many bytes of the current character are still to come, and the bounds of the next one.
    private var missing = 0
    private var bounds: ClosedRange<UInt8> = 0x80...0xBF

    /// Takes the next bytes of the file.
    ///
    /// - Returns: `utf8` as soon as that is certain.
    mutating func take(_ bytes: [UInt8]) -> TextEncoding? {
        // Most files are ASCII, which one pass without branches shows.
        if missing == 0, !lineHasCharacters, !lineIsBroken, bytes.reduce(0, |) < 0x80 { return nil }
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                if isUTF8AtLineEnd() { return .utf8 }
            } else if byte >= 0x80 || missing > 0 {
                take(byte)
            }
        }
        return nil
    }

    /// The encoding, once the whole file has been taken.
    mutating func finish() -> TextEncoding {
        isUTF8AtLineEnd() || !isAnyLineBroken ? .utf8 : .windows1252
    }

    private mutating func isUTF8AtLineEnd() -> Bool {
        if missing > 0 { lineIsBroken = true }
        if lineHasCharacters, !lineIsBroken { return true }
        if lineIsBroken { isAnyLineBroken = true }
        (lineHasCharacters, lineIsBroken, missing) = (false, false, 0)
        return false
    }

    /// Takes a non-ASCII byte, or any byte inside a character.
    ///
    /// - Source: The Unicode Standard, table 3-7, well-formed UTF-8 byte sequences.
    private mutating func take(_ byte: UInt8) {
        if missing > 0 {
            guard bounds.contains(byte) else { return breakLine() }
            missing -= 1
            bounds = 0x80...0xBF
            lineHasCharacters = lineHasCharacters || missing == 0
            return
        }
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return breakLine()
        }
        bounds =
            switch byte {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
    }

    private mutating func breakLine() {
        (lineIsBroken, missing) = (true, 0)
    }
}
