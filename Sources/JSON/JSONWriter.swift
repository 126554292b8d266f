import Bytes
package import FoundationEssentials

/// Writes JSON, straight into bytes.
///
/// Nothing here allocates but the bytes: this is the hot path of every answer and every event. Generic
/// members are `@inlinable`, and the type and what they use `@usableFromInline`; without both, Swift 6.3 does not
/// specialise them for other modules.
@usableFromInline package struct JSONWriter: Sendable {
    /// How a member without a value is written.
    @usableFromInline package enum AbsentMembers: Sendable {
        /// It is null, so that a client sees every member that an answer can have.
        case null
        case omitted
    }

    /// How control characters are written: as `\n`, `\r` and `\t` where there is such a form, or as `\u00XX` always.
    @usableFromInline package enum Escapes: Sendable {
        case short, numeric
    }

    /// The JSON so far.
    @usableFromInline package private(set) var bytes: [UInt8] = []
    private var needsComma = false
    private let absentMembers: AbsentMembers
    private let escapes: Escapes

    /// Starts an empty document.
    /// - Parameter capacity: how many bytes it will probably have.
    @usableFromInline package init(
        capacity: Int = 1024, absentMembers: AbsentMembers = .null, escapes: Escapes = .short
    ) {
        self.absentMembers = absentMembers
        self.escapes = escapes
        bytes.reserveCapacity(capacity)
    }

    @usableFromInline package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    @usableFromInline package mutating func endObject() { end(UInt8(ascii: "}")) }
    @usableFromInline package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    @usableFromInline package mutating func endArray() { end(UInt8(ascii: "]")) }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    /// Begins a member. The name must need no escapes.
    @usableFromInline package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        beginValue()
    }

    /// Begins a member whose name is known only at run time.
    @usableFromInline package mutating func key(named name: String) {
        string(name)
        beginValue()
    }

    private mutating func beginValue() {
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Writes a member without a value as this writer does it.
    @usableFromInline package mutating func absent(_ name: StaticString) {
        guard absentMembers == .null else { return }
        key(name)
        null()
    }

    /// Writes a value that is JSON already.
    @usableFromInline package mutating func json(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }
}

extension JSONWriter {
    package mutating func null() {
        literal("null")
    }

    package mutating func boolean(_ value: Bool) {
        literal(value ? "true" : "false")
    }

    private mutating func literal(_ text: StaticString) {
        separate()
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = true
    }

    package mutating func integer(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
        needsComma = true
    }

    /// Writes the shortest digits that read back as the same number; a number that is not finite becomes null.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return integer(whole) }
        separate()
        bytes.append(contentsOf: value.description.utf8)
        needsComma = true
    }

    /// Writes an id in lower case.
    package mutating func uuid(_ value: UUID) {
        quoted { UUIDText.append(value, to: &$0) }
    }

    /// Writes a string whose characters, none of which needs an escape, are appended by a closure.
    package mutating func quoted(_ append: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

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
        switch (byte, escapes) {
        case (UInt8(ascii: "\""), _), (UInt8(ascii: "\\"), _): bytes.append(byte)
        case (0x0A, .short): bytes.append(UInt8(ascii: "n"))
        case (0x0D, .short): bytes.append(UInt8(ascii: "r"))
        case (0x09, .short): bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            Hexadecimal.append(byte, to: &bytes)
        }
    }
}
