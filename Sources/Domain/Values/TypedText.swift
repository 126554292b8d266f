package import JSON

/// The lengths that a text may have, and the characters that it must not contain.
///
/// Characters are counted as Unicode scalars: a visible character can consist of any number of them.
struct TextRule {
    let characters: ClosedRange<Int>
    /// Whether control characters, line breaks included, are allowed. NUL never is: PostgreSQL cannot store it.
    var allowsControls = false

    /// - Throws: ``RuleViolation`` naming the length or the characters that are not allowed.
    func check(_ text: String) throws(RuleViolation) {
        // A scalar takes at most four bytes; counting a text of any length is not worth it.
        guard text.utf8.count <= characters.upperBound * 4, characters.contains(text.unicodeScalars.count) else {
            throw lengthRule
        }
        if allowsControls {
            guard !text.utf8.contains(0) else { throw RuleViolation(.format, "must not contain the character U+0000") }
        } else {
            guard !text.unicodeScalars.contains(where: Self.isControl) else {
                throw RuleViolation(.format, "must not contain control characters or line breaks")
            }
        }
        if characters.lowerBound > 0 {
            guard text.unicodeScalars.contains(where: Self.isVisible) else {
                throw RuleViolation(.format, "must not be blank")
            }
        }
    }

    private var lengthRule: RuleViolation {
        let most = RuleViolation.grouped(characters.upperBound)
        return characters.lowerBound == 0
            ? RuleViolation(.length, "must have at most \(most) characters")
            : RuleViolation(.length, "must have \(characters.lowerBound) to \(most) characters")
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .format
    }

    /// Whether a character ends a line, or changes the direction of the text around it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// A text that a person typed. It is kept beside the log and never in a payload, so it is no ``PayloadValue``.
package protocol TypedText: Hashable, Sendable {
    /// The text as it was typed.
    var text: String { get }
    /// Checks a text.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    init(_ text: String) throws(RuleViolation)
}

/// A text with a rule that its length and its characters alone decide.
protocol CheckedText: TypedText {
    static var rule: TextRule { get }
    /// Wraps a text that follows the rule.
    init(text: String)
}

extension CheckedText {
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try Self.rule.check(text)
        self.init(text: text)
    }
}

/// Remarks to a sighting: at most 4,000 characters, without NUL. Empty ones are allowed and mean none.
package struct Note: CheckedText {
    static let rule = TextRule(characters: 0...4000, allowsControls: true)
    package let text: String
}

/// The name of a taxon as it was typed: 1 to 200 characters.
package struct VerbatimName: CheckedText {
    static let rule = TextRule(characters: 1...200)
    package let text: String
}

/// A person's full name, which is private: 1 to 200 characters.
package struct PersonName: CheckedText {
    static let rule = TextRule(characters: 1...200)
    package let text: String
}

/// The name under which an observer wants to be seen: 2 to 50 characters.
package struct DisplayName: CheckedText {
    static let rule = TextRule(characters: 2...50)
    package let text: String
}

/// The title of a dataset: 1 to 300 characters.
package struct DatasetTitle: CheckedText {
    static let rule = TextRule(characters: 1...300)
    package let text: String
}

/// A line of credit for a dataset, such as its publisher, rights holder or citation: 1 to 2,000 characters.
package struct CreditLine: CheckedText {
    static let rule = TextRule(characters: 1...2000)
    package let text: String
}

/// The name of a file that was imported: 1 to 255 characters.
package struct FileName: CheckedText {
    static let rule = TextRule(characters: 1...255)
    package let text: String
}

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
