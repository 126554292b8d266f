package import Domain
package import JSON

/// A Swift type that is read from one JSON type, or from a text, before the domain's rules apply.
package protocol FieldValue: Sendable {
    /// Reads a value that is not null.
    /// - Throws: ``Domain/RuleViolation`` naming the type that was expected.
    init(json: JSONValue) throws(RuleViolation)
    /// Reads the text of a parameter.
    /// - Throws: ``Domain/RuleViolation`` naming the type that was expected.
    init(field text: String) throws(RuleViolation)
}

extension String: FieldValue {
    /// Reads a string. NUL is rejected here for all members: PostgreSQL cannot store it in text.
    package init(json: JSONValue) throws(RuleViolation) {
        guard let text = json.string else { throw RuleViolation(.type, "must be a string") }
        guard !text.utf8.contains(0) else { throw RuleViolation(.format, "must not contain the character U+0000") }
        self = text
    }

    package init(field text: String) {
        self = text
    }
}

extension Int: FieldValue {
    private static let rule = RuleViolation(.type, "must be a whole number")

    package init(json: JSONValue) throws(RuleViolation) {
        guard let whole = json.integer else { throw Self.rule }
        self = whole
    }

    package init(field text: String) throws(RuleViolation) {
        // `Int` alone would also take "+5".
        guard text.utf8.first != UInt8(ascii: "+"), let whole = Int(text) else { throw Self.rule }
        self = whole
    }
}

extension Double: FieldValue {
    private static let rule = RuleViolation(.type, "must be a number")

    package init(json: JSONValue) throws(RuleViolation) {
        guard let number = json.number else { throw Self.rule }
        self = number
    }

    package init(field text: String) throws(RuleViolation) {
        guard let number = Double(plain: text) else { throw Self.rule }
        self = number
    }
}

extension Bool: FieldValue {
    private static let rule = RuleViolation(.type, "must be true or false")

    package init(json: JSONValue) throws(RuleViolation) {
        guard let value = json.boolean else { throw Self.rule }
        self = value
    }

    package init(field text: String) throws(RuleViolation) {
        guard let value = Bool(text) else { throw Self.rule }
        self = value
    }
}
