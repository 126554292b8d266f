/// The members of a payload, or of a part of one, each named once, in the order in which they are written:
///
/// ```swift
/// static let shape = Shape<Self>(Self.init, .required("role", \.role), .optional("reason", \.reason))
/// ```
struct Shape<Whole: Sendable>: Sendable {
    /// Reads the members.
    /// - Throws: ``PayloadFault`` for members that are missing or break their rules.
    let read: @Sendable (PayloadReader) throws(PayloadFault) -> Whole
    let write: @Sendable (Whole, inout PayloadWriter) -> Void
}

extension Shape {
    /// - Parameter make: takes the members in the order in which they are listed, as a structure's initialiser does.
    init<each Value: Sendable>(
        _ make: @escaping @Sendable (repeat each Value) -> Whole, _ members: repeat PayloadMember<Whole, each Value>
    ) {
        let members = (repeat each members)
        self.init(
            read: { reader throws(PayloadFault) in try make(repeat (each members).read(reader)) },
            write: { whole, writer in
                for member in repeat each members { member.write(whole, &writer) }
            })
    }

    /// The shape with a rule about several members.
    /// - Parameter missing: the name of the first member that is missing; nil for none.
    func requiring(_ missing: @escaping @Sendable (Whole) -> String?) -> Shape {
        Shape(
            read: { reader throws(PayloadFault) in
                let whole = try read(reader)
                if let name = missing(whole) { throw .member(type: reader.type, name: name, .required) }
                return whole
            },
            write: write)
    }
}

/// A part of a payload, whose members are side by side with the others.
protocol PayloadPart: Sendable {
    static var shape: Shape<Self> { get }
}

/// One member of a payload, or the members of one part.
struct PayloadMember<Whole: Sendable, Value: Sendable>: Sendable {
    let read: @Sendable (PayloadReader) throws(PayloadFault) -> Value
    let write: @Sendable (Whole, inout PayloadWriter) -> Void
}

extension PayloadMember where Value: PayloadValue {
    /// A member that must be there.
    static func required(_ name: String, _ value: @escaping @Sendable (Whole) -> Value) -> Self {
        Self(
            read: { reader throws(PayloadFault) in try reader.required(name) },
            write: { whole, writer in writer.field(name, value(whole)) })
    }
}

extension PayloadMember {
    /// A member that may be absent or null unless it is required; nil is written as absent.
    static func optional<Wrapped: PayloadValue>(
        _ name: String, _ value: @escaping @Sendable (Whole) -> Wrapped?, required: Bool = false
    ) -> Self where Value == Wrapped? {
        Self(
            read: { reader throws(PayloadFault) in try reader.optional(name, required: required) },
            write: { whole, writer in writer.field(name, value(whole)) })
    }

    /// A member that may be absent or null; nil is written as null.
    static func nullable<Wrapped: PayloadValue>(
        _ name: String, _ value: @escaping @Sendable (Whole) -> Wrapped?
    ) -> Self where Value == Wrapped? {
        Self(
            read: { reader throws(PayloadFault) in try reader.optional(name) },
            write: { whole, writer in
                if let value = value(whole) { writer.field(name, value) } else { writer.null(name) }
            })
    }

    /// A member that is absent if the value is unchanged, and null if it is cleared.
    static func change<Wrapped: PayloadValue>(
        _ name: String, _ value: @escaping @Sendable (Whole) -> Change<Wrapped>
    ) -> Self where Value == Change<Wrapped> {
        Self(
            read: { reader throws(PayloadFault) in try reader.change(name) },
            write: { whole, writer in writer.field(name, value(whole)) })
    }

    /// A member that is an array; an empty one may be absent. Elements that cannot be read, such as words that a
    /// vocabulary does not have, are left out.
    static func list<Element: PayloadValue>(
        _ name: String, _ value: @escaping @Sendable (Whole) -> [Element]
    ) -> Self where Value == [Element] {
        Self(
            read: { reader throws(PayloadFault) in try reader.list(name) },
            write: { whole, writer in writer.field(name, value(whole)) })
    }

    /// The members of a part.
    static func flat(_ part: @escaping @Sendable (Whole) -> Value) -> Self where Value: PayloadPart {
        flat(part, as: Value.shape)
    }

    /// The members of a part that has several shapes.
    static func flat(_ part: @escaping @Sendable (Whole) -> Value, as shape: Shape<Value>) -> Self {
        Self(read: shape.read, write: { whole, writer in shape.write(part(whole), &writer) })
    }

    /// The members of a part; the part is nil if the named member is absent or null.
    static func flat<Part: PayloadPart>(
        _ part: @escaping @Sendable (Whole) -> Part?, ifPresent name: String
    ) -> Self where Value == Part? {
        let shape = Part.shape
        return Self(
            read: { reader throws(PayloadFault) in reader.isNull(name) ? nil : try shape.read(reader) },
            write: { whole, writer in
                if let part = part(whole) { shape.write(part, &writer) }
            })
    }
}

extension PayloadMember where Value == Int {
    /// A whole number that must be there.
    static func integer(_ name: String, _ value: @escaping @Sendable (Whole) -> Int) -> Self {
        Self(
            read: { reader throws(PayloadFault) in try reader.integer(name) },
            write: { whole, writer in writer.field(name, integer: value(whole)) })
    }
}

extension PayloadMember where Value == Int? {
    /// A whole number that may be absent; nil is written as absent.
    static func integer(_ name: String, ifPresent value: @escaping @Sendable (Whole) -> Int?) -> Self {
        Self(
            read: { reader throws(PayloadFault) in try reader.integer(ifPresent: name) },
            write: { whole, writer in writer.field(name, integer: value(whole)) })
    }
}

extension PayloadMember where Value == Double? {
    /// A number that may be absent; nil is written as absent. Any other value is read as nil.
    static func number(_ name: String, ifPresent value: @escaping @Sendable (Whole) -> Double?) -> Self {
        Self(
            read: { reader throws(PayloadFault) in reader.number(ifPresent: name) },
            write: { whole, writer in
                if let value = value(whole) { writer.field(name, number: value) }
            })
    }
}
