/// JSON values as bytes, the same ones every time.
enum JSONText {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// A string in quotes; only what must be escaped is.
    static func append(_ string: String, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): buffer.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): buffer.append(contentsOf: "\\\\".utf8)
            case 0x0A: buffer.append(contentsOf: "\\n".utf8)
            case 0x0D: buffer.append(contentsOf: "\\r".utf8)
            case 0x09: buffer.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                buffer.append(contentsOf: "\\u00".utf8)
                buffer.append(hexadecimal[Int(byte >> 4)])
                buffer.append(hexadecimal[Int(byte & 0xF)])
            default: buffer.append(byte)
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// A number with exactly `places` decimals (0 to 15), halves away from zero, never `-0`. Where that takes more than
    /// the 53 bits of a Double's precision, the shortest form that reads back the same; null for NaN and infinities.
    static func append(_ value: Double, places: Int, to buffer: inout [UInt8]) {
        guard value.isFinite else { return buffer.append(contentsOf: "null".utf8) }
        let places = min(max(places, 0), 15)
        let power = powersOfTen[places]
        let scaled = (value * Double(power)).rounded()
        guard abs(scaled) < 9_007_199_254_740_992 else { return buffer.append(contentsOf: "\(value)".utf8) }
        let units = Int64(scaled)
        if units < 0 { buffer.append(UInt8(ascii: "-")) }
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt64(power))
        buffer.append(contentsOf: String(whole).utf8)
        guard places > 0 else { return }
        let digits = String(rest).utf8
        buffer.append(UInt8(ascii: "."))
        buffer.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: places - digits.count))
        buffer.append(contentsOf: digits)
    }

    private static let powersOfTen: [Int64] = (0...15).map { exponent in
        (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
    }
}
