/// Encoding and first bytes of a table's file, found before it is read.
///
/// The encoding is a function of the whole file and the declaration, in this order:
/// 1. a UTF-8 byte order mark means UTF-8; a UTF-16 file arrives as UTF-8 (``TextByteSource``);
/// 2. else the declared encoding (from `meta.xml` or the caller), if any;
/// 3. else what the file's lines show (``EncodingEvidence``).
///
/// Rule 3 takes a pass over the file, expanding it if it is compressed; the pass ends at the first line that decides.
/// The alternative, to switch at the first invalid byte, would read the same bytes one way above it and another way
/// below.
package struct TextInspection: Sendable {
    /// Bytes kept for recognising delimiter and quotes: 64 KiB.
    package static let sampleSize = 64 * 1024

    /// How the file's bytes are to be read.
    package let encoding: TextEncoding
    /// The file's first bytes without a byte order mark, at most `sampleSize`.
    package let sample: [UInt8]
    /// Whether `sample` is the whole file.
    package let sampleIsWhole: Bool

    /// Inspects a file, which is read from its start; `declared` saves the pass over the rest.
    ///
    /// - Throws: what reading throws.
    package init(of source: any ByteSource, declared: TextEncoding?) throws {
        let start = try source.readBytes(upTo: Self.sampleSize)
        let hasMark = start.starts(with: ByteOrderMark.utf8)
        sample = hasMark ? Array(start.dropFirst(ByteOrderMark.utf8.count)) : start
        sampleIsWhole = start.count < Self.sampleSize
        if hasMark {
            encoding = .utf8
        } else if let declared {
            encoding = declared
        } else {
            encoding = try Self.encoding(start, followedBy: source)
        }
    }

    private static func encoding(_ start: [UInt8], followedBy source: any ByteSource) throws -> TextEncoding {
        var evidence = EncodingEvidence()
        var piece = start
        while !piece.isEmpty {
            if let encoding = evidence.take(piece) { return encoding }
            piece = try source.readBytes(upTo: 256 * 1024)
        }
        return evidence.finish()
    }
}

/// Byte order marks.
enum ByteOrderMark {
    /// U+FEFF in UTF-8.
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
