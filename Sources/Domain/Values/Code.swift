package import JSON

/// A short text of a fixed form that stands for something known: it may be in a payload because it cannot be prose.
package protocol Code: Hashable, Sendable, Codable, CustomStringConvertible, PayloadValue {
    /// The code itself: ASCII only.
    var text: String { get }
    init(unchecked text: String)
    /// Whether a text has the form of this sort of code.
    static func hasForm(_ text: String) -> Bool
    /// The form in words: "must be …".
    static var form: String { get }
}

extension Code {
    /// Checks a code's form, not whether it names anything.
    /// - Throws: ``RuleViolation`` naming the form.
    package init(_ text: String) throws(RuleViolation) {
        guard Self.hasForm(text) else { throw RuleViolation(.format, Self.form) }
        self.init(unchecked: text)
    }

    package var description: String { text }

    /// - Throws: ``RuleViolation`` naming the rule that the value breaks.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.code(text)
    }

    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// The characters that codes are made of.
enum CodeCharacters {
    static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Words of lower-case letters and digits with single hyphens between them.
    static func isKebab(_ text: String, most: Int) -> Bool {
        let bytes = text.utf8
        guard (1...most).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-") else {
            return false
        }
        var before: UInt8 = 0
        for byte in bytes {
            let isHyphen = byte == UInt8(ascii: "-")
            guard isLower(byte) || isDigit(byte) || (isHyphen && before != byte) else { return false }
            before = byte
        }
        return true
    }
}
