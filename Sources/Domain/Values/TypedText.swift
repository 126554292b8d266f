package import JSON

/// The lengths that a text may have, and the characters that it must not contain.
///
/// Characters are counted as Unicode scalars: a visible character can consist of any number of them.
struct TextRule {
    let characters: ClosedRange<Int>
    /// Whether tabs and line breaks are allowed. No other control character is.
    var allowsLines = false

    /// - Throws: ``RuleViolation`` naming the length or the characters that are not allowed.
    func check(_ text: String) throws(RuleViolation) {
        // A scalar takes at most four bytes; counting a text of any length is not worth it.
        guard text.utf8.count <= characters.upperBound * 4, characters.contains(text.unicodeScalars.count) else {
            throw lengthRule
        }
        let lines = allowsLines
        guard !text.unicodeScalars.contains(where: { Self.isControl($0) && !(lines && Self.isLine($0)) }) else {
            throw RuleViolation(
                .format,
                "must not contain control characters\(lines ? "" : " or line breaks"), or characters that "
                    + "change the direction of text")
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

    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !Lookalikes.isInvisible(scalar)
    }

    /// Whether a character ends a line, changes the direction of the text around it, or carries hidden text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x206F,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    private static func isLine(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\t"
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

/// Remarks to a sighting: at most 4,000 characters, lines allowed. Empty ones are allowed and mean none.
package struct Note: CheckedText {
    static let rule = TextRule(characters: 0...4000, allowsLines: true)
    package let text: String
}

/// A description of a photo for those who cannot see it: 1 to 1,000 characters.
package struct AltText: CheckedText {
    static let rule = TextRule(characters: 1...1000)
    package let text: String
}

/// Words that a moderator, an observer or the sender of a flag adds: 1 to 2,000 characters, lines allowed.
package struct Remarks: CheckedText {
    static let rule = TextRule(characters: 1...2000, allowsLines: true)
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

/// The name under which an observer wants to be seen: 2 to 50 characters, and no name of staff.
package struct DisplayName: TypedText {
    package let text: String

    /// - Throws: ``RuleViolation`` naming the length, the characters, or that it is a name of staff.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 2...50).check(text)
        guard !StaffNames.include(text) else {
            throw RuleViolation(.vocabulary, "must not be a name of the people who run the service")
        }
        self.text = text
    }
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
