import Bytes
import FoundationEssentials

/// Text in the headers of a mail.
enum MailHeader {
    /// A subject: as it is if it is printable ASCII, otherwise as encoded words. So no text ends the header.
    static func unstructured(_ text: String) -> String {
        isPlain(text) ? text : encodedWords(text)
    }

    /// A name: quoted if it is printable ASCII, otherwise as encoded words.
    static func phrase(_ text: String) -> String {
        guard isPlain(text) else { return encodedWords(text) }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 60 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    }

    /// Base 64 in words, each on a line of its own of at most 76 characters. None splits a character.
    /// - Source: RFC 2047 section 2.
    private static func encodedWords(_ text: String) -> String {
        var chunks: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if chunks[chunks.count - 1].count + bytes.count > 39 { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks.map { "=?UTF-8?B?" + Data($0).base64EncodedString() + "?=" }.joined(separator: "\n ")
    }
}

/// The encoding of texts that are mostly ASCII.
/// - Source: RFC 2045 section 6.7.
enum QuotedPrintable {
    /// Lines of at most 76 characters. None begins with a full stop, which may end a message, or with "From ", which
    /// some programs change.
    static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { encoded(Array($0.utf8)) }
    }

    private static func encoded(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        var line = ""
        for (index, byte) in bytes.enumerated() {
            let unit = unit(byte, isFirst: line.isEmpty, isLast: index == bytes.count - 1)
            if line.utf8.count + unit.utf8.count > 75 {
                lines.append(line + "=")
                line = self.unit(byte, isFirst: true, isLast: index == bytes.count - 1)
            } else {
                line += unit
            }
        }
        return lines + [line]
    }

    private static func unit(_ byte: UInt8, isFirst: Bool, isLast: Bool) -> String {
        let isSpace = byte == UInt8(ascii: " ")
        let isSafe = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || isSpace && !isLast
        let isRisky = isFirst && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F"))
        guard isSafe, !isRisky else {
            let digits = Hexadecimal.digits(of: [byte]).uppercased()
            return "=" + digits
        }
        return String(UnicodeScalar(byte))
    }
}
