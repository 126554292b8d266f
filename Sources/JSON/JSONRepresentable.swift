public import FoundationEssentials

/// Something that has one JSON form.
@usableFromInline package protocol JSONRepresentable {
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    /// The bytes of one value's JSON form.
    @inlinable
    package static func bytes(of value: some JSONRepresentable, capacity: Int = 1024) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        value.write(to: &writer)
        return writer.bytes
    }

    @inlinable
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes an array, each item as the closure does it.
    @inlinable
    package mutating func array<Item>(_ items: some Sequence<Item>, _ write: (inout JSONWriter, Item) -> Void) {
        beginArray()
        for item in items { write(&self, item) }
        endArray()
    }

    @inlinable
    package mutating func field(_ name: StaticString, _ value: some JSONRepresentable) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a member that may be absent, as this writer does it.
    @inlinable
    package mutating func field(_ name: StaticString, _ value: (some JSONRepresentable)?) {
        if let value { field(name, value) } else { absent(name) }
    }

    /// Writes a member whose name is known only at run time.
    @inlinable
    package mutating func field(named name: String, _ value: some JSONRepresentable) {
        key(named: name)
        value.write(to: &self)
    }

    @inlinable
    package mutating func field(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    @inlinable
    package mutating func field(_ name: StaticString, _ values: [some JSONRepresentable]) {
        key(name)
        array(values) { $1.write(to: &$0) }
    }

    /// Writes a member that is an array, each item as the closure does it.
    @inlinable
    package mutating func field<Item>(
        _ name: StaticString, array items: some Sequence<Item>, _ write: (inout JSONWriter, Item) -> Void
    ) {
        key(name)
        array(items, write)
    }

    /// Writes a member that is JSON already.
    @inlinable
    package mutating func field(_ name: StaticString, json: some Sequence<UInt8>) {
        key(name)
        self.json(json)
    }
}

extension String: JSONRepresentable {
    @usableFromInline package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: JSONRepresentable {
    @usableFromInline package func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Int64: JSONRepresentable {
    @usableFromInline package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: JSONRepresentable {
    @usableFromInline package func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Bool: JSONRepresentable {
    @usableFromInline package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}

extension UUID: JSONRepresentable {
    @usableFromInline package func write(to writer: inout JSONWriter) { writer.uuid(self) }
}

extension JSONValue: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value): writer.integer(Int64(value))
        case .number(let value): writer.number(value)
        case .string(let value): writer.string(value)
        case .array(let items): writer.array(items) { $1.write(to: &$0) }
        case .object(let members):
            writer.object { writer in
                for member in members { writer.field(named: member.name, member.value) }
            }
        }
    }
}
