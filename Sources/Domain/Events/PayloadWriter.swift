/// Writes payloads as JSON. Nothing else writes to the log.
///
/// What it writes PostgreSQL can cast to `jsonb`: texts are Swift strings and so have no lone surrogates, NUL becomes
/// U+FFFD and a number that is not finite becomes null. The values see to it that neither ever happens.
package struct PayloadWriter: Sendable {
    /// The JSON so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Starts an empty document.
    package init() {
        bytes.reserveCapacity(768)
    }

    /// Writes an object and its members.
    package mutating func object(_ members: (inout PayloadWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes a member.
    package mutating func field(_ name: StaticString, _ value: some PayloadValue) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a member, or nothing for nil.
    package mutating func field(_ name: StaticString, _ value: (some PayloadValue)?) {
        if let value { field(name, value) }
    }

    /// Writes a changed member: nothing where it did not change, null where it was cleared.
    package mutating func field(_ name: StaticString, _ change: Change<some PayloadValue>) {
        switch change {
        case .unset: break
        case .set(let value): field(name, value)
        case .cleared: null(name)
        }
    }

    /// Writes a member that is an array, or nothing where it is empty.
    package mutating func field(_ name: StaticString, _ values: [some PayloadValue]) {
        guard !values.isEmpty else { return }
        key(name)
        bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            value.write(to: &self)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes a member that is a whole number.
    package mutating func field(_ name: StaticString, integer: Int) {
        key(name)
        self.integer(integer)
    }

    /// Writes a member that is a number.
    package mutating func field(_ name: StaticString, number: Double) {
        key(name)
        self.number(number)
    }

    /// Writes a member that is null.
    package mutating func null(_ name: StaticString) {
        key(name)
        bytes.append(contentsOf: "null".utf8)
    }

    private mutating func key(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }
}

extension PayloadWriter {
    mutating func boolean(_ value: Bool) {
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func integer(_ value: Int) {
        bytes.append(contentsOf: String(value).utf8)
    }

    /// The shortest digits that read back as the same number.
    mutating func number(_ value: Double) {
        guard value.isFinite else { return bytes.append(contentsOf: "null".utf8) }
        if let integer = Int(exactly: value), integer.magnitude < 1 << 53 { return self.integer(integer) }
        bytes.append(contentsOf: value.description.utf8)
    }

    /// A string of characters that need no escapes.
    mutating func code(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A string whose characters, none of which needs an escape, are appended by a closure.
    mutating func quoted(_ append: (inout [UInt8]) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A string of any characters.
    mutating func prose(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case 0: bytes.append(contentsOf: "\u{FFFD}".utf8)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 1..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(UInt8(ascii: "0") + byte >> 4)
                let low = byte & 15
                bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
