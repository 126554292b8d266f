/// A day of the proleptic Gregorian calendar, in no particular zone.
package struct CivilDate: Hashable, Comparable, Sendable {
    /// 1 to 9999 in texts, as PostgreSQL has no year 0; arithmetic may leave these bounds.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// Checks a date.
    /// - Throws: ``RuleViolation`` when there is no such day, or the year is not of four digits.
    package init(year: Int, month: Int, day: Int) throws(RuleViolation) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day)
        else { throw RuleViolation(.format, "must be a day that exists, such as 2026-05-01") }
        self.init(uncheckedYear: year, month: month, day: day)
    }

    /// Wraps parts that are known to make a day.
    init(uncheckedYear year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads "2026-05-01".
    /// - Throws: ``RuleViolation`` for any other form.
    package init(_ text: String) throws(RuleViolation) {
        var scanner = TimeScanner(text)
        guard let date = try scanner.date(), scanner.isAtEnd else {
            throw RuleViolation(.format, "must be a date such as 2026-05-01")
        }
        self = date
    }

    /// The number of days in a month of a year.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a year has a 29th of February.
    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    package static func < (one: Self, other: Self) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }
}

extension CivilDate {
    /// Days since 1970-01-01, negative before.
    package var dayNumber: Int {
        // Years are counted from March, so that the leap day is the last day of its year and months have one formula.
        let shiftedYear = month <= 2 ? year - 1 : year
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let cycle = Self.floorDivide(shiftedYear, 400)
        let yearOfCycle = shiftedYear - cycle * 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * Self.daysInCycle + dayOfCycle - Self.daysFromCycleToEpoch
    }

    /// The day that many days after 1970-01-01.
    package init(dayNumber: Int) {
        let days = dayNumber + Self.daysFromCycleToEpoch
        let cycle = Self.floorDivide(days, Self.daysInCycle)
        let dayOfCycle = days - cycle * Self.daysInCycle
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
        self.init(uncheckedYear: year, month: month, day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// The day some days later, or earlier when negative.
    package func adding(days: Int) -> CivilDate {
        CivilDate(dayNumber: dayNumber + days)
    }

    /// Division that rounds down, also below zero.
    static func floorDivide(_ dividend: Int, _ divisor: Int) -> Int {
        let quotient = dividend / divisor
        return dividend % divisor < 0 ? quotient - 1 : quotient
    }

    /// The Gregorian calendar repeats after 400 years.
    private static let daysInCycle = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysFromCycleToEpoch = 719_468
}

/// "2026-05-01".
extension CivilDate: TimeInText {
    func append(to bytes: inout [UInt8]) {
        TimeText.appendYear(year, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        TimeText.append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        TimeText.append(day, digits: 2, to: &bytes)
    }
}
