internal import JSON

/// One thing wrong with a request or a row: where, which sort of rule, and the rule in words.
package struct Fault: Hashable, Sendable {
    /// The place of the value, as a JSON pointer: "/visit/minutes", "" for the whole document.
    /// - Source: RFC 6901.
    package let pointer: String
    /// The sort of rule that it breaks.
    package let code: FaultCode
    /// The rule in words; it never repeats the value.
    package let message: String

    package init(_ pointer: String, _ violation: RuleViolation) {
        self.pointer = pointer
        self.code = violation.code
        self.message = violation.message
    }

    /// The pointer that leads through object members and array items of these names, escaped.
    /// - Source: RFC 6901 section 3.
    package static func pointer(_ tokens: String...) -> String {
        JSONPointer.text(tokens)
    }
}
