package import JSON

/// A whole number within bounds.
package protocol BoundedInteger: Hashable, Comparable, Sendable, PayloadValue {
    /// The allowed numbers.
    static var bounds: ClosedRange<Int> { get }
    var value: Int { get }
    /// Wraps a number that is known to be within bounds.
    init(unchecked value: Int)
}

extension BoundedInteger {
    /// Checks a number.
    /// - Throws: ``RuleViolation`` naming the bounds.
    package init(_ value: Int) throws(RuleViolation) {
        guard Self.bounds.contains(value) else { throw .wholeNumber(Self.bounds) }
        self.init(unchecked: value)
    }

    /// Reads the number from a payload.
    package init(payload: JSONValue) throws(RuleViolation) {
        guard let value = payload.integer else { throw .wholeNumber(Self.bounds) }
        try self.init(value)
    }

    package func write(to writer: inout PayloadWriter) {
        writer.integer(value)
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.value < other.value
    }
}

/// How sure the observer is of the identification: 1 to 10.
package struct Confidence: BoundedInteger {
    /// The published meaning of a point of the scale.
    package struct Anchor: Hashable, Sendable {
        package let value: Confidence
        package let meaning: String
    }

    /// The allowed numbers.
    package static let bounds = 1...10
    /// Points of the scale with a meaning in words, in their order. The API's description and `docs/about.md` repeat
    /// them, and tests compare.
    package static let anchors = [
        Anchor(value: Confidence(unchecked: 1), meaning: "a guess"),
        Anchor(value: Confidence(unchecked: 5), meaning: "likely"),
        Anchor(value: Confidence(unchecked: 8), meaning: "sure of the species"),
        Anchor(value: Confidence(unchecked: 10), meaning: "in the hand, or photographed beyond doubt"),
    ]
    /// The point of the scale.
    package let value: Int

    package init(unchecked value: Int) {
        self.value = value
    }
}

/// How many individuals were seen: 1 to 1,000,000. "Present but not counted" is its absence, never 0.
/// - Source: Darwin Core `individualCount`.
package struct IndividualCount: BoundedInteger {
    /// The allowed numbers.
    package static let bounds = 1...1_000_000
    /// The number of individuals.
    package let value: Int

    package init(unchecked value: Int) {
        self.value = value
    }
}
