/// The two encodings that tables of records come in. In both the bytes below 0x80 are ASCII, so rows and fields can be
/// told apart before anything is decoded.
package enum TextEncoding: String, Sendable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "UTF-8"
    /// Windows code page 1252, which holds all printable characters of ISO 8859-1.
    case windows1252 = "windows-1252"

    /// The encoding that a label names, in any case. ISO 8859-1 and US-ASCII are read as their supersets, as the
    /// WHATWG Encoding Standard does; nil for every other label.
    package init?(label: String) {
        switch label.lowercased().filter({ !$0.isWhitespace }) {
        case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
        case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1": self = .windows1252
        default: return nil
        }
    }

    /// The text of `bytes`; what is invalid becomes U+FFFD.
    func repairedText(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .windows1252: Windows1252.text(bytes)
        }
    }

    /// Offset of the first character that is not valid in this encoding; nil when all are.
    func firstInvalidOffset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        switch self {
        case .utf8:
            do {
                _ = try UTF8Span(validating: bytes.span)
                return nil
            } catch {
                return error.byteOffsets.lowerBound
            }
        case .windows1252:
            return bytes.firstIndex { Windows1252.scalar($0) == nil }
        }
    }
}

/// A file whose encoding is not one of `TextEncoding`.
package enum TextEncodingError: Error, Equatable, CustomStringConvertible {
    /// The byte order mark or the declaration names this encoding.
    case unsupported(file: String, encoding: String)

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .unsupported(let file, let encoding):
            "\(file) is in \(encoding); only UTF-8, UTF-16 and Windows-1252 (ISO 8859-1) can be read"
        }
    }
}

/// Windows code page 1252.
///
/// - Source: Unicode's `MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT`. The five bytes it leaves undefined are invalid.
enum Windows1252 {
    /// What 0x80 to 0x9F stand for; 0 where nothing is defined.
    private static let upperControls: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// The character of one byte; nil for 0x81, 0x8D, 0x8F, 0x90 and 0x9D.
    static func scalar(_ byte: UInt8) -> Unicode.Scalar? {
        guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
        let value = upperControls[Int(byte) - 0x80]
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    /// The text of `bytes`; undefined ones become U+FFFD.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(scalar(byte) ?? "\u{FFFD}") }
        return String(text)
    }
}
