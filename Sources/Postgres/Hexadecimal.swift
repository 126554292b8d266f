/// Bytes as lower-case hexadecimal digits, two a byte.
enum Hexadecimal {
    static func digits(of bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return text
    }
}
