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
