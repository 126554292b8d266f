/// A text that a person typed. It is kept beside the log and never in a payload, so it is no ``PayloadValue``.
package protocol TypedText: Hashable, Sendable {
    /// The text as it was typed.
    var text: String { get }
}

/// Remarks to a sighting: at most 4,000 characters, without NUL.
package struct Note: TypedText {
    package let text: String

    /// Checks remarks; empty ones are allowed and mean none.
    /// - Throws: ``RuleViolation`` naming the length or the character.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 0...4000, allowsControls: true).check(text)
        self.text = text
    }
}

/// The name of a taxon as it was typed: 1 to 200 characters.
package struct VerbatimName: TypedText {
    package let text: String

    /// Checks a name.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 1...200).check(text)
        self.text = text
    }
}

/// A person's full name, which is private: 1 to 200 characters.
package struct PersonName: TypedText {
    package let text: String

    /// Checks a name.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 1...200).check(text)
        self.text = text
    }
}

/// The name under which an observer wants to be seen: 2 to 50 characters.
package struct DisplayName: TypedText {
    package let text: String

    /// Checks a name.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 2...50).check(text)
        self.text = text
    }
}

/// The title of a dataset: 1 to 300 characters.
package struct DatasetTitle: TypedText {
    package let text: String

    /// Checks a title.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 1...300).check(text)
        self.text = text
    }
}

/// A line of credit for a dataset, such as its publisher, rights holder or citation: 1 to 2,000 characters.
package struct CreditLine: TypedText {
    package let text: String

    /// Checks a line.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 1...2000).check(text)
        self.text = text
    }
}

/// The name of a file that was imported: 1 to 255 characters.
package struct FileName: TypedText {
    package let text: String

    /// Checks a name.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        try TextRule(characters: 1...255).check(text)
        self.text = text
    }
}
