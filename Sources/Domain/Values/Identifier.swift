#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

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

    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(text: try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.quoted { UUIDText.append(uuid, to: &$0) }
    }

    /// Orders as the texts would be ordered, and as PostgreSQL orders UUIDs.
    package static func < (one: Self, other: Self) -> Bool {
        withUnsafeBytes(of: one.uuid.uuid) { one in
            withUnsafeBytes(of: other.uuid.uuid) { other in one.lexicographicallyPrecedes(other) }
        }
    }

    package init(from decoder: any Decoder) throws {
        try self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

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
        guard text.utf8.count == 36 else { return nil }
        var (high, low, count) = (UInt64(0), UInt64(0), 0)
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let nibble = hexValue(byte) else { return nil }
            if count < 16 { high = high << 4 | UInt64(nibble) } else { low = low << 4 | UInt64(nibble) }
            count += 1
        }
        return count == 32 ? uuid(high, low) : nil
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
