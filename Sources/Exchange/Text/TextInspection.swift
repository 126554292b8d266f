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
        var validator = UTF8Validator()
        guard start.withUnsafeBufferPointer({ validator.firstInvalidOffset($0) }) == nil else { return false }
        var chunk = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
            guard count > 0 else { return !validator.isUnfinished }
            let valid = chunk.withUnsafeBufferPointer {
                validator.firstInvalidOffset(.init(rebasing: $0[..<count])) == nil
            }
            guard valid else { return false }
        }
    }
}

/// The marks that may begin a file.
enum ByteOrderMark {
    /// U+FEFF in UTF-8.
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
