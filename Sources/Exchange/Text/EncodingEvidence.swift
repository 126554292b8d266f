/// Finds out line by line whether a file without a byte order mark is in UTF-8 or in Windows-1252.
///
/// A line with characters beyond ASCII that is valid UTF-8 is so by intention: in Windows-1252 it would take two or
/// more symbols that no word has side by side. So one such line makes the file UTF-8, and lines that are not valid have
/// been damaged. Only a file that has none, but lines that are not valid, is in Windows-1252.
struct EncodingEvidence {
    private var lineHasCharacters = false
    private var lineIsBroken = false
    private var isAnyLineBroken = false
    /// Bytes still to come of the character that is read, and the bounds of the next of them.
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

    /// The encoding of the file that ends here.
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

    /// A byte beyond ASCII, or one inside a character.
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
