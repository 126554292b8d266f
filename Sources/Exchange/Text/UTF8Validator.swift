/// Checks UTF-8 in pieces of any size: no overlong forms, no surrogates, nothing above U+10FFFF.
///
/// - Source: The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
struct UTF8Validator {
    /// Continuation bytes still to come.
    private var remaining = 0
    /// Bytes of the unfinished character seen so far.
    private var seen = 0
    /// What the next continuation byte may be; narrower than 0x80...0xBF after some first bytes.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// True when the bytes so far end in the middle of a character.
    var isUnfinished: Bool { remaining > 0 }

    /// Takes the next bytes.
    ///
    /// - Returns: offset in `bytes` of the first byte that is invalid at its place, else nil.
    mutating func firstInvalidOffset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            if remaining == 0 {
                index = Self.skipASCII(bytes, from: index)
                guard index < bytes.count else { return nil }
                guard begin(bytes[index]) else { return index }
            } else {
                guard allowed.contains(bytes[index]) else { return index }
                remaining -= 1
                seen += 1
                allowed = 0x80...0xBF
            }
            index += 1
        }
        return nil
    }

    /// Where the unfinished character begins, if the text ends with `bytes`.
    func offsetOfUnfinished(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        isUnfinished ? max(bytes.count - seen, 0) : nil
    }

    /// Takes the first byte of a character; false when no character begins with it.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: (remaining, allowed) = (1, 0x80...0xBF)
        case 0xE0: (remaining, allowed) = (2, 0xA0...0xBF)
        case 0xED: (remaining, allowed) = (2, 0x80...0x9F)
        case 0xE1...0xEF: (remaining, allowed) = (2, 0x80...0xBF)
        case 0xF0: (remaining, allowed) = (3, 0x90...0xBF)
        case 0xF4: (remaining, allowed) = (3, 0x80...0x8F)
        case 0xF1...0xF3: (remaining, allowed) = (3, 0x80...0xBF)
        default: return false
        }
        seen = 1
        return true
    }

    /// The first offset from `start` on that holds no ASCII byte. Eight bytes at a time: most files are mostly ASCII.
    private static func skipASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(bytes)
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
