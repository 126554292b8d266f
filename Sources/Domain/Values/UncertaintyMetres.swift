package import JSON

/// The radius of the smallest circle around a place that holds the whole true place, in metres.
/// - Source: Darwin Core `coordinateUncertaintyInMeters`, which may not be 0.
///   Half the way around the Earth is 20,040 km.
package struct UncertaintyMetres: Hashable, Comparable, Sendable {
    /// The farthest that two places on Earth can be from each other, rounded up, in metres.
    package static let most = 20_040_000.0
    /// Metres, above 0.
    package let value: Double

    /// Checks a radius.
    /// - Throws: ``RuleViolation`` when it is not above 0 and at most 20,040,000.
    package init(_ metres: Double) throws(RuleViolation) {
        guard metres > 0, metres <= Self.most else {
            throw RuleViolation(.range, "must be metres above 0 and at most 20,040,000")
        }
        self.value = metres
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.value < other.value
    }
}

extension UncertaintyMetres: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(payload.number ?? .nan)
    }

    package func write(to writer: inout PayloadWriter) {
        writer.number(value)
    }
}
