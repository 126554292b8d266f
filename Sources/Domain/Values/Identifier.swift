package import FoundationEssentials

/// The id of one sort of thing: a UUID that cannot be taken for another sort's, written in lower case.
package protocol Identifier: Hashable, Comparable, Sendable, Codable, LosslessStringConvertible, PayloadValue {
    /// The id itself.
    var uuid: UUID { get }
    /// Says what sort of thing a UUID is the id of.
    init(_ uuid: UUID)
}

extension Identifier {
    /// Reads an id as a request gives it, in either case.
    /// - Throws: ``RuleViolation`` for any other form.
    package init(text: String) throws(RuleViolation) {
        guard let uuid = UUIDText.parse(text) else { throw RuleViolation(.format, "must be a UUID") }
        self.init(uuid)
    }

    /// Reads an id, nil for any other text.
    package init?(_ description: String) {
        guard let uuid = UUIDText.parse(description) else { return nil }
        self.init(uuid)
    }

    /// 36 characters in lower case.
    package var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        UUIDText.append(uuid, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads it from a payload.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(text: try payload.text())
    }

    /// Writes it to a payload.
    package func write(to writer: inout PayloadWriter) {
        writer.quoted { UUIDText.append(uuid, to: &$0) }
    }

    /// Orders as the texts would be ordered, and as PostgreSQL orders UUIDs.
    package static func < (one: Self, other: Self) -> Bool {
        withUnsafeBytes(of: one.uuid.uuid) { one in
            withUnsafeBytes(of: other.uuid.uuid) { other in one.lexicographicallyPrecedes(other) }
        }
    }

    /// Reads it as a string.
    package init(from decoder: any Decoder) throws {
        try self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes it as a string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// UUIDs as text, without the detours of a formatter: every event holds several.
enum UUIDText {
    private static let digits = Array("0123456789abcdef".utf8)

    static func append(_ uuid: UUID, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: uuid.uuid) { source in
            for (index, byte) in source.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { bytes.append(UInt8(ascii: "-")) }
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
    }

    static func parse(_ text: String) -> UUID? {
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
            guard let nibble = hexValue(bytes[index]) else { return nil }
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

    /// The value of a hexadecimal digit in either case.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
