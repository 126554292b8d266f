import JSON

/// Reads dates and times from left to right. Returns nil for text that does not fit; the caller names the rule.
struct TimeScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Takes one of these ASCII characters, if it is next.
    mutating func take(_ choices: String) -> Bool {
        guard index < bytes.count, choices.utf8.contains(bytes[index]) else { return false }
        index += 1
        return true
    }

    /// Reads a number of exactly `digits` digits.
    mutating func number(digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + digits] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += digits
        return value
    }

    /// Takes "2026-05-01".
    /// - Throws: ``RuleViolation`` for a day that does not exist.
    mutating func date() throws(RuleViolation) -> CivilDate? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        return try CivilDate(year: year, month: month, day: day)
    }

    /// Takes the time of a day: "07:30:15.25", or "07:30" where seconds may be missing.
    mutating func timeOfDay(secondsRequired: Bool) -> TimeOfDay? {
        guard let hour = number(digits: 2), hour < 24, take(":"), let minute = number(digits: 2), minute < 60 else {
            return nil
        }
        var time = TimeOfDay(minutes: hour * 60 + minute, seconds: 0, microseconds: 0)
        guard take(":") else { return secondsRequired ? nil : time }
        // 60 is a leap second; which minutes may have one is checked where the offset is known.
        guard let second = number(digits: 2), second <= 60 else { return nil }
        time.seconds = second
        guard take(".,") else { return time }
        guard let fraction = fraction() else { return nil }
        time.microseconds = fraction
        return time
    }

    /// Takes the digits of a fraction, as microseconds; finer digits are dropped.
    private mutating func fraction() -> Int? {
        var (value, scale, count) = (0, 100_000, 0)
        while let digit = number(digits: 1) {
            value += digit * scale
            scale /= 10
            count += 1
        }
        return count > 0 ? value : nil
    }

    /// Takes an offset from UTC as minutes: "Z", "-07:00", and where allowed "-0700" and "-07".
    mutating func offset(lenient: Bool) -> Int? {
        if take("Zz") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+"), let hours = number(digits: 2), hours < 24 else { return nil }
        let hasColon = take(":")
        guard hasColon || lenient else { return nil }
        guard let minutes = number(digits: 2) else {
            return lenient && !hasColon ? (isNegative ? -hours * 60 : hours * 60) : nil
        }
        guard minutes < 60 else { return nil }
        return (isNegative ? -1 : 1) * (hours * 60 + minutes)
    }
}

/// The time of a day as it was written.
struct TimeOfDay {
    var minutes: Int
    var seconds: Int
    var microseconds: Int

    /// Whether these seconds are possible at this time: 60 only in the last minute of a UTC day.
    func isValid(offsetMinutes: Int) -> Bool {
        guard seconds == 60 else { return true }
        let utcMinutes = (minutes - offsetMinutes) % 1440
        return utcMinutes == 1439 || utcMinutes == -1
    }

    /// Microseconds since the day began.
    var microsecondsOfDay: Int64 {
        Int64(minutes * 60 + seconds) * 1_000_000 + Int64(microseconds)
    }
}

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

/// A time or a date that payloads hold as its text.
protocol TimeInText: PayloadValue, CustomStringConvertible {
    /// - Throws: ``RuleViolation`` naming the form.
    init(_ text: String) throws(RuleViolation)
    /// Appends the text: ASCII without characters that need escapes.
    func append(to bytes: inout [UInt8])
}

extension TimeInText {
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: ``RuleViolation`` naming the form.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.quoted { append(to: &$0) }
    }
}
