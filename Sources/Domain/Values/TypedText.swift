package import JSON

/// The lengths that a text may have, and the characters that it must not contain.
///
/// Characters are counted as Unicode scalars: a visible character can consist of any number of them.
struct TextRule {
    let characters: ClosedRange<Int>
    /// Whether tabs and line breaks are allowed. No other control character is.
    var allowsLines = false

    /// The text as it is kept: with line feeds for all line breaks, and without unpaired directional characters.
    /// - Throws: ``RuleViolation`` naming the length or the character that is not allowed.
    func kept(_ typed: String) throws(RuleViolation) -> KeptText {
        var text = typed
        if !typed.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            var characters = TypedCharacters(allowsLines: allowsLines)
            for scalar in typed.unicodeScalars { try characters.append(scalar) }
            text = characters.finished(of: typed)
        }
        try check(text)
        return KeptText(text: text, typed: typed)
    }

    private func check(_ text: String) throws(RuleViolation) {
        // A scalar takes at most four bytes; counting a text of any length is not worth it.
        guard text.utf8.count <= characters.upperBound * 4, characters.contains(text.unicodeScalars.count) else {
            throw lengthRule
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
}

/// A text that follows its rule, and the same text as it was typed. Two are equal if the kept texts are.
struct KeptText: Hashable {
    let text: String
    let typed: String

    static func == (one: Self, other: Self) -> Bool { one.text == other.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A text that a person typed. It is kept beside the log and never in a payload, so it is no ``PayloadValue``.
package protocol TypedText: Hashable, Sendable {
    /// The text as it is kept, shown and compared.
    var text: String { get }
    /// The text as it was typed. Fingerprints of requests cover this text, so that a retry is detected even after an
    /// upgrade that changes which characters are kept.
    var typed: String { get }
    /// Checks a text.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    init(_ text: String) throws(RuleViolation)
}

/// A text with a rule that its length and its characters alone decide.
protocol CheckedText: TypedText {
    static var rule: TextRule { get }
    var kept: KeptText { get }
    /// Wraps a text that follows the rule.
    init(kept: KeptText)
}

extension CheckedText {
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        self.init(kept: try Self.rule.kept(text))
    }

    package var text: String { kept.text }
    package var typed: String { kept.typed }
}

/// Remarks to a sighting: at most 4,000 characters, lines allowed. Empty ones are allowed and mean none.
package struct Note: CheckedText {
    static let rule = TextRule(characters: 0...4000, allowsLines: true)
    let kept: KeptText
}

/// A description of a photo for those who cannot see it: 1 to 1,000 characters.
package struct AltText: CheckedText {
    static let rule = TextRule(characters: 1...1000)
    let kept: KeptText
}

/// Words that a moderator, an observer or the sender of a flag adds: 1 to 2,000 characters, lines allowed.
package struct Remarks: CheckedText {
    static let rule = TextRule(characters: 1...2000, allowsLines: true)
    let kept: KeptText
}

/// The name of a taxon as it was typed: 1 to 200 characters.
package struct VerbatimName: CheckedText {
    static let rule = TextRule(characters: 1...200)
    let kept: KeptText
}

/// A person's full name, which is private: 1 to 200 characters.
package struct PersonName: CheckedText {
    static let rule = TextRule(characters: 1...200)
    let kept: KeptText
}

/// The name under which an observer wants to be seen: 2 to 50 characters, and no name of staff.
package struct DisplayName: TypedText {
    private let kept: KeptText
    package var text: String { kept.text }
    package var typed: String { kept.typed }

    /// - Throws: ``RuleViolation`` naming the length, the characters, or that it is a name of staff.
    package init(_ text: String) throws(RuleViolation) {
        kept = try TextRule(characters: 2...50).kept(text)
        guard !StaffNames.include(kept.text) else {
            throw RuleViolation(.vocabulary, "must not be a name of the people who run the service")
        }
    }
}

/// The title of a dataset: 1 to 300 characters.
package struct DatasetTitle: CheckedText {
    static let rule = TextRule(characters: 1...300)
    let kept: KeptText
}

/// A line of credit for a dataset, such as its publisher, rights holder or citation: 1 to 2,000 characters.
package struct CreditLine: CheckedText {
    static let rule = TextRule(characters: 1...2000)
    let kept: KeptText
}

/// The name of a file that was imported: 1 to 255 characters.
package struct FileName: CheckedText {
    static let rule = TextRule(characters: 1...255)
    let kept: KeptText
}

/// Text that was published before: names, descriptions and links of taxa. The only prose that payloads may contain.
package struct PublishedText: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text: 1 to 4,000 characters.
    package let text: String

    /// Checks a text.
    /// - Throws: ``RuleViolation`` naming the length or the characters.
    package init(_ text: String) throws(RuleViolation) {
        self.text = try TextRule(characters: 1...4000).kept(text).text
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
