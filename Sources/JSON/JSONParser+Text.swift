import Bytes

/// Strings and numbers.
extension JSONParser {
    mutating func string() throws(MalformedJSON) -> String {
        index += 1
        let start = index
        var allBits: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let content = bytes[start..<index]
                // Most strings are ASCII, which need not be validated.
                let text = allBits < 0x80 ? String(decoding: content, as: UTF8.self) : try text(content)
                index += 1
                return text
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            case 0..<0x20:
                throw fault("a control character in a string must be escaped")
            default:
                allBits |= byte
                index += 1
            }
        }
        throw fault("the document ends within a string")
    }

    /// Continues at the first escape: most strings have none.
    private mutating func escapedString(from start: Int) throws(MalformedJSON) -> String {
        var content = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(content[...])
                index += 1
                return text
            case UInt8(ascii: "\\"):
                try escape(into: &content)
            case 0..<0x20:
                throw fault("a control character in a string must be escaped")
            default:
                content.append(byte)
                index += 1
            }
        }
        throw fault("the document ends within a string")
    }

    private func text(_ content: ArraySlice<UInt8>) throws(MalformedJSON) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw fault("a string must be UTF-8") }
        return text
    }

    private mutating func escape(into content: inout [UInt8]) throws(MalformedJSON) {
        guard index + 1 < bytes.count else { throw fault("the document ends within a string") }
        let byte = bytes[index + 1]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): return try unicodeEscape(into: &content)
        default: throw fault("this escape has no meaning in JSON")
        }
        index += 2
    }

    private mutating func unicodeEscape(into content: inout [UInt8]) throws(MalformedJSON) {
        let start = index
        var value = UInt32(try codeUnit())
        if value & 0xFC00 == 0xD800, next == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        {
            let trailing = UInt32(try codeUnit())
            guard trailing & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: start) }
            value = 0x10000 + (value & 0x3FF) << 10 + trailing & 0x3FF
        }
        guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate(at: start) }
        content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Takes "\u" and four hexadecimal digits.
    private mutating func codeUnit() throws(MalformedJSON) -> UInt16 {
        index += 2
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let nibble = next.flatMap(Hexadecimal.value) else {
                throw fault("four hexadecimal digits are expected")
            }
            value = value << 4 | UInt16(nibble)
            index += 1
        }
        return value
    }

    private func loneSurrogate(at offset: Int) -> MalformedJSON {
        MalformedJSON(offset: offset, reason: "half of a surrogate pair is no character")
    }
}

extension JSONParser {
    mutating func number() throws(MalformedJSON) -> JSONValue {
        let start = index
        let isNegative = take("-")
        let first = index
        var digits = Digits()
        try take(&digits)
        guard bytes[first] != UInt8(ascii: "0") || index == first + 1 else {
            throw MalformedJSON(offset: first, reason: "a number may not begin with a zero")
        }
        let end = index
        let isFraction = take(".")
        if isFraction { try take(&digits) }
        let fractionDigits = isFraction ? index - end - 1 : 0
        let hasExponent = take("e") || take("E")
        if hasExponent {
            if !take("+") { _ = take("-") }
            var exponent = Digits()
            try take(&exponent)
        }
        if !hasExponent, let value = digits.value(isNegative: isNegative, fractionDigits: fractionDigits) {
            return value
        }
        return try anyNumber(from: start, isWhole: !isFraction && !hasExponent)
    }

    private func anyNumber(from start: Int, isWhole: Bool) throws(MalformedJSON) -> JSONValue {
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, text != "-0", let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw MalformedJSON(offset: start, reason: "a number must be one that a 64-bit float can hold")
        }
        return .number(number)
    }

    /// Takes one digit or more.
    private mutating func take(_ digits: inout Digits) throws(MalformedJSON) {
        let first = index
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            digits.append(bytes[index])
            index += 1
        }
        guard index > first else { throw fault("a digit is expected") }
    }
}

/// The digits of a number, as long as there are so few that nothing is rounded: nearly always.
private struct Digits {
    private var value: Int64 = 0
    private var count = 0
    private static let most = 15
    private static let powers: [Double] = (0...most).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }

    mutating func append(_ digit: UInt8) {
        count += 1
        if count <= Self.most { value = value * 10 + Int64(digit - UInt8(ascii: "0")) }
    }

    /// The number, of whose digits `fractionDigits` are behind the point. Dividing two floats that are exact rounds
    /// once, so the quotient is the float nearest to the decimal. Nil for more digits, and for -0.
    /// - Source: Clinger, "How to read floating point numbers accurately" (1990), the fast path.
    func value(isNegative: Bool, fractionDigits: Int) -> JSONValue? {
        guard count <= Self.most, value != 0 || !isNegative else { return nil }
        let signed = isNegative ? -value : value
        return fractionDigits == 0
            ? .integer(Int(signed)) : .number(Double(signed) / Self.powers[fractionDigits])
    }
}
