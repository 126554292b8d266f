package import FoundationEssentials

/// UUIDs as text, without the detours of a formatter: every event holds several.
package enum UUIDText {
    /// Appends 36 characters in lower case.
    package static func append(_ uuid: UUID, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            var end = 0
            withUnsafeBytes(of: uuid.uuid) { source in
                for (index, byte) in source.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[end] = UInt8(ascii: "-")
                        end += 1
                    }
                    text[end] = Hexadecimal.digit(byte >> 4)
                    text[end + 1] = Hexadecimal.digit(byte & 15)
                    end += 2
                }
            }
            bytes.append(contentsOf: text)
        }
    }

    /// Reads 36 characters in either case; nil for any other form.
    package static func parse(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8 { bytes in parse(bytes) }
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard bytes.count == 36 else { return nil }
        var (high, low) = (UInt64(0), UInt64(0))
        for index in 0..<36 {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard bytes[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let nibble = Hexadecimal.value(bytes[index]) else { return nil }
            if index < 18 { high = high << 4 | UInt64(nibble) } else { low = low << 4 | UInt64(nibble) }
        }
        return uuid(high, low)
    }

    private static func uuid(_ high: UInt64, _ low: UInt64) -> UUID {
        func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
