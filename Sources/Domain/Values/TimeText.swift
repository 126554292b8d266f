/// Writes the digits of dates and times.
enum TimeText {
    /// Appends a number with leading zeros.
    static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        if digits == 2 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
            return
        }
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        var rest = number
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor % 10))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Appends a year: four digits, or a sign and as many as it takes beyond 0 to 9999.
    static func appendYear(_ year: Int, to bytes: inout [UInt8]) {
        if (0...9999).contains(year) {
            append(year, digits: 4, to: &bytes)
        } else {
            bytes.append(UInt8(ascii: year < 0 ? "-" : "+"))
            let digits = max(4, String(year.magnitude).count)
            append(Int(year.magnitude), digits: digits, to: &bytes)
        }
    }

    /// Appends a fraction of a second without trailing zeros, and nothing for none.
    static func appendFraction(microseconds: Int, to bytes: inout [UInt8]) {
        guard microseconds > 0 else { return }
        var (value, digits) = (microseconds, 6)
        while value.isMultiple(of: 10) { (value, digits) = (value / 10, digits - 1) }
        bytes.append(UInt8(ascii: "."))
        append(value, digits: digits, to: &bytes)
    }

    /// Appends an offset: "Z" for none, else "-07:00".
    static func appendOffset(minutes: Int, to bytes: inout [UInt8]) {
        guard minutes != 0 else { return bytes.append(UInt8(ascii: "Z")) }
        bytes.append(UInt8(ascii: minutes < 0 ? "-" : "+"))
        append(abs(minutes) / 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(abs(minutes) % 60, digits: 2, to: &bytes)
    }
}
