import Domain
import Testing

struct ISOWeekTests {
    /// - Source: the calendar of ISO 8601; years with 53 weeks begin on a Thursday, leap years also on a Wednesday.
    @Test(arguments: [
        ("2026-01-01", "2026-W01"), ("2025-12-29", "2026-W01"), ("2025-12-28", "2025-W52"), ("2026-12-31", "2026-W53"),
        ("2027-01-03", "2026-W53"), ("2027-01-04", "2027-W01"), ("2021-01-03", "2020-W53"), ("2024-12-30", "2025-W01"),
        ("2000-01-01", "1999-W52"),
    ])
    func `the week of a day`(day: String, week: String) throws {
        #expect(ISOWeek(of: try CivilDate(day)).description == week)
    }

    @Test func `every day of four centuries is in the week that its text names`() throws {
        var day = try CivilDate("1800-01-01")
        var last = ISOWeek(of: day.adding(days: -7))
        while day.year < 2200 {
            let week = ISOWeek(of: day)
            #expect(try ISOWeek(week.description) == week)
            #expect(week.monday <= day && day <= week.sunday)
            #expect(week == last || week == last.adding(weeks: 1))
            #expect((1...53).contains(week.week))
            (last, day) = (week, day.adding(days: 1))
        }
    }

    @Test(arguments: ["2026-W00", "2026-W54", "2025-W53", "2026-18", "2026W18", "2026-w18", "W18", "", "2026-W18-1"])
    func `other texts are rejected`(text: String) {
        #expect(throws: RuleViolation.self) { try ISOWeek(text) }
    }

    @Test(arguments: ["0000-W01", "2025-W53", "2026-W00"])
    func `a week that does not exist is called that`(text: String) {
        #expect(throws: RuleViolation(.format, "must be a week that exists, such as 2026-W18")) { try ISOWeek(text) }
    }

    @Test func `a week may have days of two months`() throws {
        #expect(try ISOWeek("2026-W18").months == [4, 5])
        #expect(try ISOWeek("2026-W20").months == [5])
        #expect(try ISOWeek("2026-W53").months == [12, 1])
    }
}
