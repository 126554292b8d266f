package import FoundationEssentials

/// A moment, in microseconds since 1970-01-01T00:00:00Z, the resolution of PostgreSQL's `timestamptz`.
package struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970 in UTC, without leap seconds.
    package let microsecondsSince1970: Int64

    /// Wraps microseconds since 1970.
    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 = microsecondsSince1970
    }

    /// Reads an RFC 3339 time with any offset. Digits finer than microseconds are dropped; a leap second is the
    /// second after it, as in POSIX time.
    /// - Throws: ``RuleViolation`` for any other form.
    /// - Source: RFC 3339 section 5.6.
    package init(_ text: String) throws(RuleViolation) {
        var scanner = TimeScanner(text)
        guard let date = try scanner.date(), scanner.take("Tt "),
            let time = scanner.timeOfDay(secondsRequired: true),
            let offset = scanner.offset(lenient: false), scanner.isAtEnd, time.isValid(offsetMinutes: offset)
        else { throw RuleViolation(.format, "must be a time with offset such as 2026-05-01T07:30:00-07:00") }
        self.init(date: date, time: time, offsetMinutes: offset)
        guard Self.written.contains(self) else {
            throw RuleViolation(.range, "must be in the years 0001 to 9999, in UTC too")
        }
    }

    /// The moments whose year has four digits.
    package static let written =
        Instant(
            startOf: CivilDate(uncheckedYear: 1, month: 1, day: 1))..<Instant(
            startOf: CivilDate(uncheckedYear: 10_000, month: 1, day: 1))

    init(date: CivilDate, time: TimeOfDay, offsetMinutes: Int) {
        let day = Int64(date.dayNumber) * Self.microsecondsPerDay
        self.init(microsecondsSince1970: day + time.microsecondsOfDay - Int64(offsetMinutes) * 60_000_000)
    }

    /// The moment at which a day begins in UTC.
    package init(startOf date: CivilDate) {
        self.init(microsecondsSince1970: Int64(date.dayNumber) * Self.microsecondsPerDay)
    }

    /// The moment some seconds later, or earlier when negative; saturates at the ends of the range.
    package func adding(seconds: Int) -> Instant {
        let (step, tooFar) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, beyond) = microsecondsSince1970.addingReportingOverflow(step)
        guard !tooFar, !beyond else { return Instant(microsecondsSince1970: seconds < 0 ? .min : .max) }
        return Instant(microsecondsSince1970: sum)
    }

    /// The date on a clock that is this many seconds ahead of UTC.
    package func date(offsetSeconds: Int = 0) -> CivilDate {
        CivilDate(dayNumber: Int(adding(seconds: offsetSeconds).dayAndRest.day))
    }

    /// The seconds until the next day begins in UTC, rounded up.
    package var secondsLeftOfDay: Int {
        Int((Self.microsecondsPerDay - dayAndRest.rest + 999_999) / 1_000_000)
    }

    /// RFC 3339 with an offset of whole minutes, and as many decimals of a second as needed.
    package func text(offsetMinutes: Int = 0) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        append(to: &bytes, offsetMinutes: offsetMinutes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8], offsetMinutes: Int) {
        let (day, rest) = adding(seconds: offsetMinutes * 60).dayAndRest
        CivilDate(dayNumber: Int(day)).append(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        let seconds = Int(rest / 1_000_000)
        TimeText.append(seconds / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        TimeText.append(seconds / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        TimeText.append(seconds % 60, digits: 2, to: &bytes)
        TimeText.appendFraction(microseconds: Int(rest % 1_000_000), to: &bytes)
        TimeText.appendOffset(minutes: offsetMinutes, to: &bytes)
    }

    private var dayAndRest: (day: Int64, rest: Int64) {
        let (quotient, remainder) = microsecondsSince1970.quotientAndRemainder(dividingBy: Self.microsecondsPerDay)
        return remainder < 0 ? (quotient - 1, remainder + Self.microsecondsPerDay) : (quotient, remainder)
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.microsecondsSince1970 < other.microsecondsSince1970
    }

    private static let microsecondsPerDay: Int64 = 86_400_000_000
}

/// RFC 3339 in UTC.
extension Instant: TimeInText {
    func append(to bytes: inout [UInt8]) {
        append(to: &bytes, offsetMinutes: 0)
    }
}

extension Instant {
    /// Converts from Foundation. Between 1729 and 2273 every microsecond survives the round trip.
    package init(_ date: Date) {
        let sinceReference = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        // PostgreSQL's calendar, where such dates come from, ends in the year 294276: far from the ends of Int64.
        self.init(microsecondsSince1970: Int64(sinceReference) + 978_307_200_000_000)
    }

    /// The moment for Foundation.
    package var date: Date {
        Date(timeIntervalSince1970: Double(microsecondsSince1970) / 1_000_000)
    }
}
