package import JSON

/// A whole number that means something only within bounds.
package protocol BoundedInteger: Hashable, Comparable, Sendable, PayloadValue {
    /// The numbers that are allowed.
    static var bounds: ClosedRange<Int> { get }
    /// The number.
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

    /// Writes the number to a payload.
    package func write(to writer: inout PayloadWriter) {
        writer.integer(value)
    }

    /// Orders by the number.
    package static func < (one: Self, other: Self) -> Bool {
        one.value < other.value
    }
}
