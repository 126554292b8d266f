package import JSON

/// Text that was published before: names, descriptions and links of taxa. The only prose that may stand in a payload.
package struct PublishedText: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text: 1 to 4,000 characters.
    package let text: String

    /// Checks a text.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 1...4000).check(text)
        self.text = text
    }

    /// The text itself.
    package var description: String { text }

    /// Orders by the text.
    package static func < (one: Self, other: Self) -> Bool {
        one.text < other.text
    }
}

extension PublishedText: PayloadValue {
    /// Reads it from a payload.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(try payload.text())
    }

    /// Writes it to a payload.
    package func write(to writer: inout PayloadWriter) {
        writer.prose(text)
    }
}
