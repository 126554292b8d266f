package import JSON

/// A value that payloads may contain. `String` does not conform, on purpose: see ``TypedText``, ``Code`` and
/// ``PublishedText``.
package protocol PayloadValue: Sendable {
    /// Reads the value from a payload.
    /// - Throws: ``RuleViolation`` naming the rule that it breaks.
    init(payload: JSONValue) throws(RuleViolation)
    /// Writes the value to a payload.
    func write(to writer: inout PayloadWriter)
}

extension Bool: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        guard let value = payload.boolean else { throw RuleViolation(.type, "must be true or false") }
        self = value
    }

    package func write(to writer: inout PayloadWriter) {
        writer.boolean(self)
    }
}

extension JSONValue {
    /// The text of a string.
    func text() throws(RuleViolation) -> String {
        guard let string else { throw RuleViolation(.type, "must be a string") }
        return string
    }

    /// A member that must be there.
    func required<Value: PayloadValue>(_ name: String) throws(RuleViolation) -> Value {
        guard let value: Value = try optional(name) else { throw RuleViolation(.required, "/\(name) is required") }
        return value
    }

    /// A member that may be absent or null.
    func optional<Value: PayloadValue>(_ name: String) throws(RuleViolation) -> Value? {
        guard let member = self[name], member != .null else { return nil }
        do throws(RuleViolation) {
            return try Value(payload: member)
        } catch {
            throw RuleViolation(error.code, "/\(name) \(error.message)")
        }
    }
}
