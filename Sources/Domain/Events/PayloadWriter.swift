package import JSON

/// Writes payloads as JSON. Nothing else writes to the log.
///
/// PostgreSQL can cast the output to `jsonb`: texts are Swift strings and so have no lone surrogates, NUL becomes
/// U+FFFD and a number that is not finite becomes null. Values never contain either.
package struct PayloadWriter: Sendable {
    private var json = JSONWriter(capacity: 768, absentMembers: .omitted, escapes: .numeric)

    /// Starts an empty document.
    package init() {}

    /// The JSON so far.
    package var bytes: [UInt8] { json.bytes }

    /// Writes an object and its members.
    package mutating func object(_ members: (inout PayloadWriter) -> Void) {
        json.beginObject()
        members(&self)
        json.endObject()
    }

    /// Writes a member.
    package mutating func field(_ name: String, _ value: some PayloadValue) {
        json.key(named: name)
        value.write(to: &self)
    }

    /// Writes a member, or nothing for nil.
    package mutating func field(_ name: String, _ value: (some PayloadValue)?) {
        if let value { field(name, value) }
    }

    /// Writes a changed member: nothing where it did not change, null where it was cleared.
    package mutating func field(_ name: String, _ change: Change<some PayloadValue>) {
        switch change {
        case .unset: break
        case .set(let value): field(name, value)
        case .cleared: null(name)
        }
    }

    /// Writes a member that is an array, or nothing where it is empty.
    package mutating func field(_ name: String, _ values: [some PayloadValue]) {
        guard !values.isEmpty else { return }
        json.key(named: name)
        json.beginArray()
        for value in values { value.write(to: &self) }
        json.endArray()
    }

    /// Writes a member that is a whole number.
    package mutating func field(_ name: String, integer: Int) {
        json.key(named: name)
        self.integer(integer)
    }

    /// Writes a member that is a whole number, or nothing for nil.
    package mutating func field(_ name: String, integer: Int?) {
        if let integer { field(name, integer: integer) }
    }

    /// Writes a member that is a number.
    package mutating func field(_ name: String, number: Double) {
        json.key(named: name)
        self.number(number)
    }

    /// Writes a member that is null.
    package mutating func null(_ name: String) {
        json.key(named: name)
        json.null()
    }
}

extension PayloadWriter {
    mutating func boolean(_ value: Bool) {
        json.boolean(value)
    }

    mutating func integer(_ value: Int) {
        json.integer(Int64(value))
    }

    mutating func number(_ value: Double) {
        json.number(value)
    }

    /// A string of characters that need no escapes.
    mutating func code(_ text: String) {
        json.quoted { $0.append(contentsOf: text.utf8) }
    }

    /// A string whose characters, none of which needs an escape, are appended by a closure.
    mutating func quoted(_ append: (inout [UInt8]) -> Void) {
        json.quoted(append)
    }

    /// A string of any characters.
    mutating func prose(_ text: String) {
        guard text.utf8.contains(0) else { return json.string(text) }
        json.string(String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 })))
    }
}

/// A value that payloads may contain. `String` does not conform, on purpose: see ``TypedText``, ``Code`` and
/// ``PublishedText``.
package protocol PayloadValue: Sendable {
    /// Reads the value from a payload.
    /// - Throws: ``RuleViolation`` naming the rule that it breaks.
    init(payload: JSONValue) throws(RuleViolation)
    /// Writes the value to a payload.
    func write(to writer: inout PayloadWriter)
}

/// A value that payloads contain as an object.
protocol PayloadObject: PayloadValue {
    /// The object's members.
    static var shape: Shape<Self> { get }
}

extension PayloadObject {
    /// - Throws: ``RuleViolation`` naming the member.
    package init(payload: JSONValue) throws(RuleViolation) {
        do throws(PayloadFault) {
            self = try Self.shape.read(PayloadReader(type: "", object: payload))
        } catch {
            guard case .member(_, let name, let rule) = error else { throw RuleViolation(.type, "must be an object") }
            throw RuleViolation(rule.code, "/\(name) \(rule.message)")
        }
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { Self.shape.write(self, &$0) }
    }
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
