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

    /// Offset of the first byte that is not valid in this encoding; nil when all are.
    func firstInvalidOffset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        switch self {
        case .utf8:
            var validator = UTF8Validator()
            return validator.firstInvalidOffset(bytes) ?? validator.offsetOfUnfinished(in: bytes)
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
            "\(file) is in \(encoding); only UTF-8 and Windows-1252 (ISO 8859-1) can be read"
        }
    }
}
