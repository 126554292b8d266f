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
