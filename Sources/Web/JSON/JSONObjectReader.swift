package import Domain
package import JSON

/// Reads the members of a JSON object one by one and collects all their faults.
///
///     var body = JSONObjectReader(node)
///     let confidence = body.required("confidence", Int.self, Confidence.init(_:))
///     let notes = body.optional("notes", String.self, Note.init(_:))
///     try body.finish()
///
/// An unknown member is a fault too, so a misspelt name is not silently ignored. A reader of
/// a value that is not an object notes that, finds no members, and does not report missing ones.
package struct JSONObjectReader: FieldReader {
    /// The faults so far.
    package private(set) var faults = Faults()
    private let members: [JSONMember]
    private let isObject: Bool
    /// The JSON pointer of the object.
    private let place: String
    private var isTaken: [Bool]

    /// Starts reading.
    /// - Parameter place: the JSON pointer of the object within the document.
    package init(_ node: JSONValue, at place: String = "") {
        self.place = place
        if case .object(let members) = node {
            self.members = members
            isObject = true
        } else {
            members = []
            isObject = false
            faults.add(place, RuleViolation(.type, "must be an object"))
        }
        isTaken = Array(repeating: false, count: members.count)
    }

    /// Ends the reading: notes unknown members.
    /// - Throws: `Faults` if there are any.
    package mutating func finish() throws(Faults) {
        for (index, member) in members.enumerated() where !isTaken[index] {
            isTaken[index] = true
            note(member.name, RuleViolation(.unexpected, "is not a member of this object"))
        }
        try faults.throwIfAny()
    }

    /// Notes a rule that a member breaks, found by other means.
    package mutating func note(_ name: String, _ violation: RuleViolation) {
        faults.add(place + Fault.pointer(name), violation)
    }

    /// Whether the object has a member, even if it is null.
    package func contains(_ name: String) -> Bool {
        members.contains { $0.name == name }
    }

    /// The member's raw value; nil if there is none.
    package mutating func take(_ name: String) -> JSONValue? {
        guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
        isTaken[index] = true
        return members[index].value
    }
}

extension JSONObjectReader {
    /// A member that must be present and not null. Nil if it is faulty, which is noted.
    package mutating func required<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        guard let node = take(name), node != .null else {
            if isObject { note(name, .required) }
            return nil
        }
        return read(name, node, make)
    }

    /// A member that may be absent or null. Nil also if it is faulty, which is noted.
    package mutating func optional<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        guard let node = take(name), node != .null else { return nil }
        return read(name, node, make)
    }

    /// A member that must be present but may be null, where null has a meaning. Nil also if it is faulty.
    package mutating func nullable<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        if isObject, !contains(name) { note(name, .required) }
        return optional(name, type, make)
    }

    /// A member of a merge patch: absent means unchanged, null means cleared.
    /// - Source: RFC 7396.
    package mutating func change<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Change<Value> {
        guard let node = take(name) else { return .unset }
        if node == .null { return .cleared }
        return read(name, node, make).map(Change.set) ?? .unset
    }

    /// A member of a merge patch that cannot be cleared: null is a fault. Nil means unchanged.
    package mutating func replacement<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        guard let node = take(name) else { return nil }
        guard node != .null else {
            note(name, RuleViolation(.required, "must not be null"))
            return nil
        }
        return read(name, node, make)
    }

    /// ``change(_:_:_:)`` without a rule beyond the type.
    package mutating func change<Given: FieldValue>(_ name: String, _ type: Given.Type) -> Change<Given> {
        change(name, type) { (given) throws(RuleViolation) in given }
    }

    private mutating func read<Given: FieldValue, Value>(
        _ name: String, _ node: JSONValue, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        do throws(RuleViolation) {
            return try make(try Given(json: node))
        } catch {
            note(name, error)
            return nil
        }
    }
}

extension JSONObjectReader {
    /// Reads a member that is an object, and notes its unknown members. Nil if it is absent or null.
    package mutating func object<Value>(_ name: String, _ read: (inout JSONObjectReader) -> Value?) -> Value? {
        guard let node = take(name), node != .null else { return nil }
        return nested(name, node, read)
    }

    /// Reads a member that is an object, in a merge patch.
    package mutating func objectChange<Value>(
        _ name: String, _ read: (inout JSONObjectReader) -> Value?
    ) -> Change<Value> {
        guard let node = take(name) else { return .unset }
        if node == .null { return .cleared }
        return nested(name, node, read).map(Change.set) ?? .unset
    }

    /// A member that must be an array with a number of items in a range. Nil if it is faulty, which is noted.
    package mutating func items(_ name: String, count: ClosedRange<Int>) -> [JSONValue]? {
        guard let node = take(name), node != .null else {
            if isObject { note(name, .required) }
            return nil
        }
        guard case .array(let items) = node else {
            note(name, RuleViolation(.type, "must be an array"))
            return nil
        }
        guard count.contains(items.count) else {
            note(name, .itemCount(count))
            return nil
        }
        return items
    }

    /// A member that must be an array of strings with a number of items in a range. Nil if it, or any item, is faulty;
    /// every fault is noted.
    package mutating func words<Value>(
        _ name: String, count: ClosedRange<Int>, _ make: (String) throws(RuleViolation) -> Value
    ) -> [Value]? {
        guard let items = items(name, count: count) else { return nil }
        var values: [Value] = []
        for (index, item) in items.enumerated() {
            do throws(RuleViolation) {
                values.append(try make(try String(json: item)))
            } catch {
                faults.add(place + Fault.pointer(name) + "/\(index)", error)
            }
        }
        return values.count == items.count ? values : nil
    }

    /// ``words(_:count:_:)``, for a member that may be absent or null.
    package mutating func optionalWords<Value>(
        _ name: String, count: ClosedRange<Int>, _ make: (String) throws(RuleViolation) -> Value
    ) -> [Value]? {
        guard let node = take(name), node != .null else { return nil }
        return words(name, count: count, make)
    }

    private mutating func nested<Value>(
        _ name: String, _ node: JSONValue, _ read: (inout JSONObjectReader) -> Value?
    ) -> Value? {
        var reader = JSONObjectReader(node, at: place + Fault.pointer(name))
        let value = read(&reader)
        do {
            try reader.finish()
            return value
        } catch {
            faults.add(error)
            return nil
        }
    }
}
