/// Bytes as hexadecimal digits, two a byte.
package enum Hexadecimal {
    /// Lower-case digits.
    @inlinable
    package static func digits(of bytes: some Sequence<UInt8>) -> String {
        digits(of: Array(bytes))
    }

    /// Lower-case digits.
    package static func digits(of bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            for (index, byte) in bytes.enumerated() {
                digits[2 * index] = digit(byte >> 4)
                digits[2 * index + 1] = digit(byte & 15)
            }
            return bytes.count * 2
        }
    }

    /// Appends a byte's two lower-case digits.
    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 15))
    }

    /// The lower-case digit of a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The value of a digit in either case.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
