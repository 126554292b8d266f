/// A week from Monday to Sunday, in no particular zone. It belongs to the year of its Thursday.
/// - Source: ISO 8601-1:2019, 5.2.3.
package struct ISOWeek: Hashable, Comparable, Sendable {
    /// The first day.
    package let monday: CivilDate

    /// The week of a day.
    package init(of date: CivilDate) {
        // 1970-01-01 was a Thursday.
        let daysSinceMonday = date.dayNumber + 3 - 7 * CivilDate.floorDivide(date.dayNumber + 3, 7)
        monday = date.adding(days: -daysSinceMonday)
    }

    /// Checks a week.
    /// - Throws: ``RuleViolation`` for a week that the year does not have.
    package init(year: Int, week: Int) throws(RuleViolation) {
        guard week >= 1, let fourth = try? CivilDate(year: year, month: 1, day: 4) else { throw Self.unknown }
        let found = ISOWeek(of: fourth).adding(weeks: week - 1)
        guard found.year == year else { throw Self.unknown }
        self = found
    }

    /// Reads "2026-W18".
    /// - Throws: ``RuleViolation`` for any other form.
    package init(_ text: String) throws(RuleViolation) {
        var scanner = TimeScanner(text)
        guard let year = scanner.number(digits: 4), scanner.take("-"), scanner.take("W"),
            let week = scanner.number(digits: 2), scanner.isAtEnd
        else { throw RuleViolation(.format, "must be an ISO 8601 week such as 2026-W18") }
        try self.init(year: year, week: week)
    }

    private static let unknown = RuleViolation(.format, "must be a week that exists, such as 2026-W18")

    /// The day in the middle, which decides the year.
    package var thursday: CivilDate { monday.adding(days: 3) }

    /// The last day.
    package var sunday: CivilDate { monday.adding(days: 6) }

    /// The year that the week is counted in.
    package var year: Int { thursday.year }

    /// The number in its year: 1 to 52, or 53.
    package var week: Int {
        (thursday.dayNumber - CivilDate(uncheckedYear: year, month: 1, day: 1).dayNumber) / 7 + 1
    }

    /// The months that have a day of it: one or two, 1 to 12.
    package var months: Set<Int> { [monday.month, sunday.month] }

    /// The week some weeks later, or earlier when negative.
    package func adding(weeks: Int) -> ISOWeek {
        ISOWeek(of: monday.adding(days: 7 * weeks))
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.monday < other.monday
    }
}

/// "2026-W18".
extension ISOWeek: TimeInText {
    func append(to bytes: inout [UInt8]) {
        TimeText.appendYear(year, to: &bytes)
        bytes.append(contentsOf: "-W".utf8)
        TimeText.append(week, digits: 2, to: &bytes)
    }
}
