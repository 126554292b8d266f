package import JSON

/// Text that was published before: names, descriptions and links of taxa. The only prose that payloads may contain.
package struct PublishedText: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text: 1 to 4,000 characters.
    package let text: String

    /// Checks a text.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 1...4000).check(text)
        self.text = text
    }

    package var description: String { text }

    package static func < (one: Self, other: Self) -> Bool {
        one.text < other.text
    }
}

extension PublishedText: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.prose(text)
    }
}
