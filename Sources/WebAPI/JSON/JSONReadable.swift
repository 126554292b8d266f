package import Domain
package import JSON

/// A Swift type that one JSON type becomes, before any rule of the domain is asked.
package protocol JSONReadable: Sendable {
    /// Reads a value that is not null.
    /// - Throws: ``Domain/RuleViolation`` naming the type that was expected.
    init(json: JSONValue) throws(RuleViolation)
}

extension String: JSONReadable {
    /// Reads a string. NUL is refused here once for all: the database cannot keep it in any text.
    package init(json: JSONValue) throws(RuleViolation) {
        guard let text = json.string else { throw RuleViolation(.type, "must be a string") }
        guard !text.utf8.contains(0) else { throw RuleViolation(.format, "must not contain the character U+0000") }
        self = text
    }
}

extension Int: JSONReadable {
    package init(json: JSONValue) throws(RuleViolation) {
        guard let whole = json.integer else { throw RuleViolation(.type, "must be a whole number") }
        self = whole
    }
}

extension Double: JSONReadable {
    package init(json: JSONValue) throws(RuleViolation) {
        guard let number = json.number else { throw RuleViolation(.type, "must be a number") }
        self = number
    }
}

extension Bool: JSONReadable {
    package init(json: JSONValue) throws(RuleViolation) {
        guard let value = json.boolean else { throw RuleViolation(.type, "must be true or false") }
        self = value
    }
}
