/// A rule that one value breaks, without the value's place in a request or a file.
///
/// Values throw it from their initialisers; ``Faults`` adds the place.
package struct RuleViolation: Error, Hashable, Sendable {
    /// The sort of rule, for programs.
    package let code: FaultCode
    /// The rule in words, for people: "must be a whole number from 1 to 1,000,000".
    package let message: String

    package init(_ code: FaultCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The sorts of rules a value can break.
package enum FaultCode: String, CaseIterable, Hashable, Sendable, Codable {
    /// A member that must be there is not.
    case required
    /// Another JSON type than the rule names.
    case type
    /// A number or a time outside its bounds.
    case range
    /// A text of another form than the rule names.
    case format
    /// A text too short or too long.
    case length
    /// A word outside a closed vocabulary.
    case vocabulary
    /// Two members that contradict each other.
    case conflict
    /// An id or a code that names nothing known.
    case unknown
    /// A member that this request does not have.
    case unexpected
}

extension RuleViolation {
    /// The member is missing.
    package static let required = RuleViolation(.required, "is required")

    /// The value is not one of a closed set of words.
    package static func vocabulary(_ words: [String]) -> RuleViolation {
        RuleViolation(.vocabulary, "must be one of \(words.joined(separator: ", "))")
    }

    /// The value is not a whole number within bounds.
    package static func wholeNumber(_ range: ClosedRange<Int>) -> RuleViolation {
        let (low, high) = (Self.grouped(range.lowerBound), Self.grouped(range.upperBound))
        return RuleViolation(.range, "must be a whole number from \(low) to \(high)")
    }

    /// A whole number with commas between groups of three digits, as messages show it.
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
