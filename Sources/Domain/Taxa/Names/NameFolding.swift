/// Makes names comparable: lower case, without diacritics, apostrophes, full stops and invisible characters, with
/// single spaces where there were spaces, hyphens or underscores. A multiplication sign becomes the word "x".
enum NameFolding {
    /// The comparable form as UTF-8. Structural characters such as "/", "(" and "?" are kept.
    static func fold(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        var text = text
        let isASCII = text.withUTF8 { bytes in
            for byte in bytes {
                guard byte < 0x80 else { return false }
                append(ascii: byte, to: &output)
            }
            return true
        }
        if !isASCII {
            output.removeAll(keepingCapacity: true)
            for scalar in text.unicodeScalars { append(scalar, to: &output) }
        }
        if output.last == space { output.removeLast() }
        return output
    }

    private static let space = UInt8(ascii: " ")

    private static func append(ascii byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): output.append(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"): output.append(byte)
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x09...0x0D: appendSpace(to: &output)
        case UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "."), 0..<0x20, 0x7F: break
        default: output.append(byte)
        }
    }

    private static func appendSpace(to output: inout [UInt8]) {
        if let last = output.last, last != space { output.append(space) }
    }

    private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        if scalar.isASCII { return append(ascii: UInt8(scalar.value), to: &output) }
        switch scalar.value {
        case 0xD7:
            appendSpace(to: &output)
            output += [UInt8(ascii: "x"), space]
        case 0x2018, 0x2019, 0x02BB, 0x02BC, 0x02B9, 0xB4, 0x2032:
            break
        case 0x2010...0x2015:
            appendSpace(to: &output)
        case 0xFF01...0xFF5E:
            // Full-width forms of ASCII.
            append(ascii: UInt8(scalar.value - 0xFEE0), to: &output)
        default:
            appendLetter(scalar, to: &output)
        }
    }

    private static func appendLetter(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        if let letters = LatinLetters.base(of: scalar) {
            output.append(contentsOf: letters.utf8)
            return
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control:
            break
        case .spaceSeparator, .lineSeparator, .paragraphSeparator:
            appendSpace(to: &output)
        default:
            output.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
        }
    }
}

/// The plain letters under Latin letters with marks, found by their Unicode names.
enum LatinLetters {
    /// The letters from U+00C0 to U+024F and from U+1E00 to U+1EFF, where all Latin letters in use are.
    private static let blocks: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x1E00...0x1EFF]
    private static let tables = blocks.map { block in
        block.map { Unicode.Scalar($0).flatMap(plainLetters) }
    }

    /// "e" for "é", "ae" for "Æ"; nil for anything but a Latin letter with a mark.
    static func base(of scalar: Unicode.Scalar) -> String? {
        for (block, table) in zip(blocks, tables) where block.contains(scalar.value) {
            return table[Int(scalar.value - block.lowerBound)]
        }
        return nil
    }

    private static func plainLetters(of scalar: Unicode.Scalar) -> String? {
        guard let name = scalar.properties.name, name.hasPrefix("LATIN ") else { return nil }
        let words = name.split(separator: " ")
        guard let kind = words.firstIndex(of: "LETTER") ?? words.firstIndex(of: "LIGATURE") else { return nil }
        guard words.indices.contains(kind + 1) else { return nil }
        switch words[kind + 1] {
        case "SHARP": return "ss"
        case "ETH": return "d"
        case "THORN": return "th"
        case "DOTLESS": return words.last.map { $0.lowercased() }
        case let letters where letters.count <= 2: return letters.lowercased()
        default: return nil
        }
    }
}
