internal import Bytes

/// Something that is not JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// How many bytes before it were in order.
    package let offset: Int
    /// What was expected or is not allowed.
    package let reason: String
}

/// Reads JSON strictly: no comments, no trailing commas, no lone surrogates, no depth without bound.
/// - Source: RFC 8259.
struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    /// Deep enough for anything this service takes, shallow enough for any stack.
    private static let greatestDepth = 64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw error("nothing may follow the document") }
        return value
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try nested { parser throws(JSONSyntaxError) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(JSONSyntaxError) in try parser.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.greatestDepth else { throw error("is nested too deeply") }
        depth += 1
        index += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONValue {
        var members: [JSONObject.Member] = []
        skipSpace()
        if take("}") { return .object(JSONObject()) }
        members.reserveCapacity(8)
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("expected the name of a member") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw error("expected a colon") }
            members.append(JSONObject.Member(name: name, value: try value()))
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("expected a comma or the end of the object") }
        return .object(JSONObject(members))
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        var items: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(items) }
        repeat {
            items.append(try value())
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("expected a comma or the end of the array") }
        return .array(items)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ bytes[index..<end].elementsEqual($0) }) else {
            throw error("expected a value")
        }
        index = end
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = index
        _ = take("-")
        let integerDigits = digits()
        guard integerDigits > 0 else { throw error("expected a value") }
        if integerDigits > 1, bytes[index - integerDigits] == UInt8(ascii: "0") {
            throw error("a number may not start with a zero")
        }
        if take("."), digits() == 0 { throw error("expected a digit") }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if digits() == 0 { throw error("expected a digit") }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = next, CodeCharacters.isDigit(byte) { index += 1 }
        return index - start
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private func error(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: index, reason: reason)
    }
}

extension JSONParser {
    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        let start = index
        var allBits: UInt8 = 0
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            allBits |= byte
            index += 1
        }
        if next == UInt8(ascii: "\"") {
            let content = bytes[start..<index]
            index += 1
            // Most strings are ASCII, which need not be validated.
            return allBits < 0x80 ? String(decoding: content, as: UTF8.self) : try text(content)
        }
        return try escapedString(from: start)
    }

    /// Goes on where the first escape stands: most strings have none.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var content = Array(bytes[start..<index])
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(content[...])
            case UInt8(ascii: "\\"): try escape(into: &content)
            case 0..<0x20: throw error("a string may not hold a control character")
            default: content.append(byte)
            }
        }
        throw error("the string does not end")
    }

    private func text(_ content: ArraySlice<UInt8>) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw error("the string is not UTF-8") }
        return text
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = next else { throw error("the string does not end") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: String(Character(try scalar())).utf8)
        default: throw error("is no escape")
        }
    }

    private mutating func scalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
        // Not a scalar by itself: a leading surrogate must have its trailing one.
        guard unit < 0xDC00, take("\\"), take("u") else { throw error("is a lone surrogate") }
        let trailing = try codeUnit()
        guard (0xDC00..<0xE000).contains(trailing) else { throw error("is a lone surrogate") }
        let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trailing) - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw error("is no character") }
        return scalar
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let nibble = Hexadecimal.value(byte) else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(nibble)
            index += 1
        }
        return value
    }
}
