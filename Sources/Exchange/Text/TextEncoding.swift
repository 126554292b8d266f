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
            "\(file) is in \(encoding); only UTF-8 and Windows-1252 (ISO 8859-1) can be read"
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

/// Encoding and first bytes of a table's file, found before it is read.
///
/// The encoding is a function of the whole file and the declaration, in this order:
/// 1. a UTF-8 byte order mark means UTF-8, a UTF-16 one is rejected;
/// 2. else the declared encoding (from `meta.xml` or the caller), if any;
/// 3. else UTF-8 if the whole file is valid UTF-8, and Windows-1252 if not.
///
/// Rule 3 takes a pass over the file, expanding it where it is compressed, which ends at the first invalid byte. The
/// alternative, to switch when an invalid byte turns up, would read the same bytes one way above it and another below.
package struct TextInspection: Sendable {
    /// Bytes kept for telling delimiter and quotes. 64 KiB.
    package static let sampleSize = 64 * 1024

    /// How the file's bytes are to be read.
    package let encoding: TextEncoding
    /// The file's first bytes without a byte order mark, at most `sampleSize`.
    package let sample: [UInt8]
    /// True when `sample` is the whole file.
    package let sampleIsWhole: Bool

    /// Inspects a file, which is read from its start; `declared` saves the pass over the rest. `file` is its name for
    /// messages.
    ///
    /// - Throws: `TextEncodingError.unsupported` for UTF-16, and what reading throws.
    package init(of source: any ByteSource, declared: TextEncoding?, file: String) throws {
        let start = try source.readBytes(upTo: Self.sampleSize)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            throw TextEncodingError.unsupported(file: file, encoding: "UTF-16")
        }
        let hasMark = start.starts(with: ByteOrderMark.utf8)
        sample = hasMark ? Array(start.dropFirst(ByteOrderMark.utf8.count)) : start
        sampleIsWhole = start.count < Self.sampleSize
        if hasMark {
            encoding = .utf8
        } else if let declared {
            encoding = declared
        } else {
            encoding = try Self.isUTF8(start, followedBy: source) ? .utf8 : .windows1252
        }
    }

    private static func isUTF8(_ start: [UInt8], followedBy source: any ByteSource) throws -> Bool {
        var piece = start
        while true {
            var unfinished: [UInt8] = []
            do {
                _ = try UTF8Span(validating: piece.span)
            } catch {
                guard error.kind == .truncatedScalar, error.byteOffsets.upperBound == piece.count else { return false }
                unfinished = Array(piece[error.byteOffsets])
            }
            let next = try source.readBytes(upTo: 256 * 1024)
            if next.isEmpty { return unfinished.isEmpty }
            piece = unfinished + next
        }
    }
}

/// The marks that may begin a file.
enum ByteOrderMark {
    /// U+FEFF in UTF-8.
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
