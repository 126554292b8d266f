package import Domain

/// Reads the fields of a request one by one and collects all their faults: the parameters of a query, or the members
/// of a JSON object. Its extensions read what requests of either form have in common.
package protocol FieldReader {
    /// A field that must be present. Nil if it is missing or faulty, which is noted.
    mutating func required<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value?

    /// A field that may be missing. Nil if it is missing, or if it is faulty, which is noted.
    mutating func optional<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value?

    /// A list of words that may be missing. Nil if it is missing, or if it is faulty, which is noted.
    mutating func optionalWords<Value>(
        _ name: String, count: ClosedRange<Int>, _ make: (String) throws(RuleViolation) -> Value
    ) -> [Value]?

    /// Notes that a field breaks a rule that was checked elsewhere.
    mutating func note(_ name: String, _ violation: RuleViolation)

    /// Ends the reading and notes unknown fields.
    /// - Throws: all faults, if there are any.
    mutating func finish() throws
}

extension FieldReader {
    /// ``required(_:_:_:)`` for a text.
    package mutating func required<Value>(
        _ name: String, _ make: (String) throws(RuleViolation) -> Value
    ) -> Value? {
        required(name, String.self, make)
    }

    /// ``optional(_:_:_:)`` for a text.
    package mutating func optional<Value>(
        _ name: String, _ make: (String) throws(RuleViolation) -> Value
    ) -> Value? {
        optional(name, String.self, make)
    }

    /// ``required(_:_:_:)`` without a rule beyond the type.
    package mutating func required<Given: FieldValue>(_ name: String, _ type: Given.Type) -> Given? {
        required(name, type) { (given) throws(RuleViolation) in given }
    }

    /// ``optional(_:_:_:)`` without a rule beyond the type.
    package mutating func optional<Given: FieldValue>(_ name: String, _ type: Given.Type) -> Given? {
        optional(name, type) { (given) throws(RuleViolation) in given }
    }
}
