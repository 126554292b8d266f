package import Domain

/// A Swift type that one JSON type becomes, before any rule of the domain is asked.
package protocol JSONReadable: Sendable {
    /// Reads a value that is not null.
    /// - Throws: ``Domain/RuleViolation`` naming the type that was expected.
    init(json: JSONNode) throws(RuleViolation)
}

extension String: JSONReadable {
    /// Reads a string. NUL is refused here once for all: the database cannot keep it in any text.
    package init(json: JSONNode) throws(RuleViolation) {
        guard case .string(let text) = json else { throw RuleViolation(.type, "must be a string") }
        guard !text.utf8.contains(0) else { throw RuleViolation(.format, "must not contain the character U+0000") }
        self = text
    }
}

extension Int: JSONReadable {
    /// Reads a whole number; 5.0 and 5e0 are the same whole number as 5.
    /// - Source: JSON Schema 2020-12, validation, section 6.1.1.
    package init(json: JSONNode) throws(RuleViolation) {
        switch json {
        case .integer(let value):
            self = value
        case .number(let value):
            guard let whole = Int(exactly: value) else { throw RuleViolation(.type, "must be a whole number") }
            self = whole
        default:
            throw RuleViolation(.type, "must be a whole number")
        }
    }
}

extension Double: JSONReadable {
    package init(json: JSONNode) throws(RuleViolation) {
        switch json {
        case .integer(let value): self.init(value)
        case .number(let value): self = value
        default: throw RuleViolation(.type, "must be a number")
        }
    }
}

extension Bool: JSONReadable {
    package init(json: JSONNode) throws(RuleViolation) {
        guard case .boolean(let value) = json else { throw RuleViolation(.type, "must be true or false") }
        self = value
    }
}
