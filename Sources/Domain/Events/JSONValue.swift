/// A JSON document as it was written: numbers keep their text, and null is told from absent.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's own text, such as "1e3".
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Reads a document.
    /// - Throws: ``JSONSyntaxError`` with the place of what is not JSON.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }

    /// The text of a string.
    /// - Throws: ``RuleViolation`` for any other type.
    package func text() throws(RuleViolation) -> String {
        guard case .string(let text) = self else { throw RuleViolation(.type, "must be a string") }
        return text
    }

    /// The number, if it is a whole one that fits.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        if let integer = Int(text) { return integer }
        return Double(text).flatMap { Int(exactly: $0) }
    }

    /// The number, if it is one that a Double can hold.
    package var number: Double? {
        guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// True or false, if it is one of them.
    package var boolean: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The items, if it is an array.
    package var items: [JSONValue]? {
        guard case .array(let items) = self else { return nil }
        return items
    }

    /// The members, if it is an object.
    package var members: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// A member of an object; nil where there is none, and for everything that is no object.
    package subscript(name: String) -> JSONValue? {
        members?[name]
    }
}

/// The members of a JSON object in the order in which they were written.
package struct JSONObject: Sendable {
    /// One member.
    package struct Member: Sendable {
        /// Its name.
        package let name: String
        /// Its value.
        package let value: JSONValue

        /// Puts a member together.
        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Names and values; a name written twice is here twice.
    package private(set) var members: [Member]

    /// Starts with members.
    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// The member of a name, the last one where there are several, as PostgreSQL's jsonb has it.
    package subscript(name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }
}

extension JSONObject: Hashable {
    private var byName: [String: JSONValue] {
        Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Objects are equal when they say the same, in whatever order.
    package static func == (one: Self, other: Self) -> Bool {
        one.byName == other.byName
    }

    /// Hashes what is compared.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(byName)
    }
}
