package import JSON

/// Why an event could not be read.
package enum PayloadFault: Error, Hashable, Sendable {
    /// No event of this stream has that type: the log was written by a newer version.
    case unknownType(String)
    /// The payload is no JSON object.
    case malformed(type: String, reason: String)
    /// A member breaks the rule of its value.
    case member(type: String, name: String, RuleViolation)
}

/// Reads the members of a payload. Unknown members are ignored: newer versions may have added them.
package struct PayloadReader: Sendable {
    /// The event's type.
    package let type: String
    private let object: JSONValue

    /// Reads a payload.
    /// - Throws: ``PayloadFault/malformed(type:reason:)`` when it is not a JSON object.
    package init(type: String, payload: [UInt8]) throws(PayloadFault) {
        do throws(MalformedJSON) {
            // If a name is repeated the last member counts, as in PostgreSQL's jsonb.
            self.init(
                type: type, object: try JSONValue(parsing: payload, limits: JSONLimits(allowsRepeatedNames: true)))
        } catch {
            throw .malformed(type: type, reason: "byte \(error.offset): \(error.reason)")
        }
        guard case .object = object else { throw .malformed(type: type, reason: "byte 0: is not an object") }
    }

    /// Reads from a payload that was parsed before.
    package init(type: String, object: JSONValue) {
        self.type = type
        self.object = object
    }

    /// A member that must be there.
    package func required<Value: PayloadValue>(_ name: String) throws(PayloadFault) -> Value {
        guard let value: Value = try optional(name) else { throw .member(type: type, name: name, .required) }
        return value
    }

    /// A member that may be absent or null.
    package func optional<Value: PayloadValue>(_ name: String) throws(PayloadFault) -> Value? {
        guard let member = object[name], member != .null else { return nil }
        do throws(RuleViolation) {
            return try Value(payload: member)
        } catch {
            throw .member(type: type, name: name, error)
        }
    }

    /// A member that may be absent or null unless it is required.
    package func optional<Value: PayloadValue>(_ name: String, required: Bool) throws(PayloadFault) -> Value? {
        required ? try self.required(name) : try optional(name)
    }

    /// A member that may be absent for unchanged and null for cleared.
    package func change<Value: PayloadValue>(_ name: String) throws(PayloadFault) -> Change<Value> {
        guard has(name) else { return .unset }
        return try optional(name).map(Change.set) ?? .cleared
    }

    /// A member that is an array; empty if absent. Words that a vocabulary does not have are left out.
    package func list<Value: PayloadValue>(_ name: String) throws(PayloadFault) -> [Value] {
        guard let member = object[name], member != .null else { return [] }
        guard case .array(let items) = member else {
            throw .member(type: type, name: name, RuleViolation(.type, "must be an array"))
        }
        return items.compactMap { try? Value(payload: $0) }
    }

    /// A whole number that must be there.
    package func integer(_ name: String) throws(PayloadFault) -> Int {
        guard let value = object[name]?.integer else {
            throw .member(type: type, name: name, RuleViolation(.type, "must be a whole number"))
        }
        return value
    }

    /// A whole number that may be absent.
    func integer(ifPresent name: String) throws(PayloadFault) -> Int? {
        has(name) ? try integer(name) : nil
    }

    /// A number that may be absent; nil for anything else, too.
    func number(ifPresent name: String) -> Double? { object[name]?.number }

    /// Whether the payload has a member, if only as null.
    func has(_ name: String) -> Bool { object[name] != nil }

    /// Whether the payload lacks a member, or has it as null.
    func isNull(_ name: String) -> Bool { (object[name] ?? .null) == .null }
}
