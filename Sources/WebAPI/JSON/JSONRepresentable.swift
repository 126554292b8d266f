package import Domain
package import FoundationEssentials

extension String: JSONRepresentable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: JSONRepresentable {
    package func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Int64: JSONRepresentable {
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: JSONRepresentable {
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Bool: JSONRepresentable {
    package func write(to writer: inout JSONWriter) { writer.literal(self ? "true" : "false") }
}

extension UUID: JSONRepresentable {
    package func write(to writer: inout JSONWriter) { writer.uuid(self) }
}

extension Instant: JSONRepresentable {
    /// RFC 3339 in UTC.
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension CivilDate: JSONRepresentable {
    /// "2026-05-01".
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension JSONNode: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): value.write(to: &writer)
        case .integer(let value): value.write(to: &writer)
        case .number(let value): value.write(to: &writer)
        case .string(let value): value.write(to: &writer)
        case .array(let items): writer.array(items) { $1.write(to: &$0) }
        case .object(let members):
            writer.object { writer in
                for member in members { writer.field(named: member.name, member.value) }
            }
        }
    }
}

extension JSONWriter {
    /// Writes a member whose name is known only at run time.
    package mutating func field(named name: String, _ value: some JSONRepresentable) {
        string(name)
        beginValue()
        value.write(to: &self)
    }
}
