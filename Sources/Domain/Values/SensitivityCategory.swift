package import JSON

/// How much harm a known place may do to a taxon: 1 is the most sensitive, 4 the least, none is its absence.
package enum SensitivityCategory: Int, CaseIterable, Hashable, Sendable {
    /// No public record at all.
    case one = 1
    /// A cell of 0.1°, and much else withheld.
    case two = 2
    /// A cell of 0.01°.
    case three = 3
    /// A cell of 0.001°.
    case four = 4

    /// Reads a category.
    /// - Throws: ``RuleViolation`` outside 1 to 4.
    package init(category: Int) throws(RuleViolation) {
        guard let value = Self(rawValue: category) else { throw .wholeNumber(1...4) }
        self = value
    }

    /// The more sensitive of two, where none is the least sensitive.
    package static func mostSensitive(_ one: Self?, _ other: Self?) -> Self? {
        guard let one else { return other }
        guard let other else { return one }
        return one.rawValue <= other.rawValue ? one : other
    }

    /// Whether going from one category to another asks for more care, and is therefore a restriction.
    package static func isRaised(from old: Self?, to new: Self?) -> Bool {
        mostSensitive(old, new) != old
    }
}

extension SensitivityCategory: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(category: payload.integer ?? 0)
    }

    package func write(to writer: inout PayloadWriter) {
        writer.integer(rawValue)
    }
}
