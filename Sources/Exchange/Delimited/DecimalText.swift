/// Reads numbers in the forms in which people and programs write them in tables.
package enum DecimalText {
    /// A decimal number: a sign, digits with a decimal point, and an exponent (R writes 1e+05); all but the digits are
    /// optional. nil for everything else, such as hexadecimal digits, infinities, spaces, thousands separators, and
    /// numbers too large for a `Double`.
    ///
    /// - Parameter decimalComma: whether a comma may stand for the point.
    package static func number(_ text: String, decimalComma: Bool = false) -> Double? {
        var scanner = Scanner(text)
        guard scanner.takesNumber(decimalComma: decimalComma) else { return nil }
        let number = Double(scanner.hasComma ? String(text.map { $0 == "," ? "." : $0 }) : text)
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number, which may be written as a decimal, such as 3.0.
    package static func wholeNumber(_ text: String, decimalComma: Bool = false) -> Int? {
        Int(text) ?? number(text, decimalComma: decimalComma).flatMap(Int.init(exactly:))
    }
}

extension DecimalText {
    private struct Scanner {
        private var rest: Substring.UTF8View
        private(set) var hasComma = false

        init(_ text: String) {
            rest = text[...].utf8
        }

        mutating func takesNumber(decimalComma: Bool) -> Bool {
            takeSign()
            var digits = takeDigits()
            if take(".") {
                digits += takeDigits()
            } else if decimalComma, take(",") {
                hasComma = true
                digits += takeDigits()
            }
            guard digits > 0 else { return false }
            if take("e") || take("E") {
                takeSign()
                guard takeDigits() > 0 else { return false }
            }
            return rest.isEmpty
        }

        private mutating func takeSign() {
            if !take("-") { _ = take("+") }
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func takeDigits() -> Int {
            let before = rest.count
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return before - rest.count
        }
    }
}
