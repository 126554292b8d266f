/// Makes names comparable: lower case, without diacritics, apostrophes, full stops and invisible characters, with
/// single spaces where there were spaces, hyphens or underscores. A multiplication sign becomes the word "x".
enum NameFolding {
    /// The comparable form as UTF-8. Structural characters such as "/", "(" and "?" are kept.
    /// - Parameter invisiblesAsSpaces: whether invisible characters separate words instead of being left out.
    static func fold(_ text: String, invisiblesAsSpaces: Bool = false) -> [UInt8] {
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
            for scalar in text.unicodeScalars {
                append(scalar, to: &output)
                if invisiblesAsSpaces, Lookalikes.isInvisible(scalar) { appendSpace(to: &output) }
            }
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
        case .nonspacingMark, .enclosingMark, .control:
            break
        case .decimalNumber, .otherNumber:
            appendNumber(scalar, to: &output)
        case .spaceSeparator, .lineSeparator, .paragraphSeparator:
            appendSpace(to: &output)
        case _ where Lookalikes.isInvisible(scalar):
            break
        default:
            output.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
        }
    }

    /// Digits of any script and style become those of ASCII.
    private static func appendNumber(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        if let number = scalar.properties.numericValue, let digit = UInt8(exactly: number), digit < 10 {
            output.append(UInt8(ascii: "0") + digit)
        } else {
            output.append(contentsOf: String(scalar).utf8)
        }
    }
}
