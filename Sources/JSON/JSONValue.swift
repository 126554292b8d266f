/// One value of a JSON document.
///
/// It distinguishes an absent member from null, which merge patches need, and a whole number from one with a fraction.
/// Members keep the order in which they were written.
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Reads a document.
    /// - Throws: ``MalformedJSON`` with the place of the first fault.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(MalformedJSON) {
        guard bytes.count <= limits.bytes else {
            throw MalformedJSON(offset: limits.bytes, reason: "longer than \(limits.bytes) bytes")
        }
        var parser = JSONParser(bytes, limits: limits)
        self = try parser.document()
    }
}

/// One member of a JSON object.
package struct JSONMember: Hashable, Sendable {
    /// The member's name, unescaped.
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONValue {
    /// The text, if it is a string.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if it is a whole one that fits; 5.0 and 5e0 are the same whole number as 5.
    /// - Source: JSON Schema 2020-12, validation, section 6.1.1.
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number, if it is one.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// True or false, if it is one of them.
    package var boolean: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// The items of an array; none of anything else.
    package var items: [JSONValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    /// The members of an object; none of anything else.
    package var members: [JSONMember] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// A member of an object, the last one where a name is repeated, as in PostgreSQL's jsonb.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// An item of an array.
    package subscript(index: Int) -> JSONValue? {
        guard case .array(let items) = self, items.indices.contains(index) else { return nil }
        return items[index]
    }
}
