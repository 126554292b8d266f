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
