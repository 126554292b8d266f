internal import Bytes
package import FoundationEssentials
package import JSON

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
