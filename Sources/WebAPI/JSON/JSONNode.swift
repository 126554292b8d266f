/// One value of a JSON document that a client sent.
///
/// Unlike a decoder's view it can tell an absent member from null, which merge patches need, and a whole number from
/// one with a fraction. Members keep the order in which they were written; no name is there twice.
package enum JSONNode: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])

    /// The word by which messages call the value's type.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// One member of a JSON object.
package struct JSONMember: Hashable, Sendable {
    /// The member's name, unescaped.
    package let name: String
    /// The member's value.
    package let value: JSONNode

    /// Joins a name with a value.
    package init(_ name: String, _ value: JSONNode) {
        self.name = name
        self.value = value
    }
}
