package import FoundationEssentials

/// Something that has one JSON form in answers.
package protocol JSONRepresentable {
    /// Appends the form.
    func write(to writer: inout JSONWriter)
}

/// Writes answers as JSON, straight into bytes.
///
/// An answer shows every member it can have, null where there is none, so that clients see its shape. Nothing here
/// allocates but the bytes: this is the hot path of every write.
package struct JSONWriter: Sendable {
    /// The JSON so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Starts an empty document.
    /// - Parameter capacity: how many bytes it will probably have.
    package init(capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// The bytes of one value's JSON form.
    package static func bytes(of value: some JSONRepresentable, capacity: Int = 1024) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        value.write(to: &writer)
        return writer.bytes
    }

    /// Writes an object and its members.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an array, each item as the closure does it.
    package mutating func array<Item>(_ items: some Sequence<Item>, _ write: (inout JSONWriter, Item) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for item in items { write(&self, item) }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes a member.
    package mutating func field(_ name: StaticString, _ value: some JSONRepresentable) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a member, null where there is no value.
    package mutating func field(_ name: StaticString, _ value: (some JSONRepresentable)?) {
        key(name)
        if let value { value.write(to: &self) } else { null() }
    }

    /// Writes a member that is an object.
    package mutating func field(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    /// Writes a member that is an array of values.
    package mutating func field(_ name: StaticString, _ values: [some JSONRepresentable]) {
        key(name)
        array(values) { $1.write(to: &$0) }
    }

    /// Writes a member that is an array, each item as the closure does it.
    package mutating func field<Item>(
        _ name: StaticString, array items: some Sequence<Item>, _ write: (inout JSONWriter, Item) -> Void
    ) {
        key(name)
        array(items, write)
    }

    /// Writes a member that is JSON already.
    package mutating func field(_ name: StaticString, json: some Sequence<UInt8>) {
        key(name)
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func key(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Goes on from a name to its value.
    mutating func beginValue() {
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }
}

extension JSONWriter {
    /// Writes null.
    package mutating func null() {
        literal("null")
    }

    /// Writes characters that are a JSON value by themselves.
    mutating func literal(_ text: StaticString) {
        separate()
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = true
    }

    /// Writes a string.
    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Copies runs of characters that need no escape: nearly always the whole text.
    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for (index, byte) in text.enumerated()
        where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            bytes.append(contentsOf: text[start..<index])
            appendEscape(of: byte)
            start = index + 1
        }
        bytes.append(contentsOf: text[start...])
    }

    private mutating func appendEscape(of byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexadecimal[Int(byte >> 4)])
            bytes.append(Self.hexadecimal[Int(byte & 15)])
        }
    }

    /// Writes a whole number.
    package mutating func integer(_ value: Int64) {
        separate()
        appendDigits(value)
        needsComma = true
    }

    private mutating func appendDigits(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Writes the shortest digits that read back as the same number; what is not finite becomes null.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return integer(whole) }
        separate()
        bytes.append(contentsOf: value.description.utf8)
        needsComma = true
    }

    /// Writes an id in lower case.
    package mutating func uuid(_ value: UUID) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        withUnsafeBytes(of: value.uuid) { source in
            for (index, byte) in source.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { bytes.append(UInt8(ascii: "-")) }
                bytes.append(Self.hexadecimal[Int(byte >> 4)])
                bytes.append(Self.hexadecimal[Int(byte & 15)])
            }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}
