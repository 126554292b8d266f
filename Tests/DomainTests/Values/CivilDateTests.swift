import Domain
import Foundation
import TestRandom
import Testing

struct CivilDateTests {
    @Test func `every day of four hundred years follows the one before`() throws {
        var date = try CivilDate("1800-01-01")
        for number in date.dayNumber..<date.dayNumber + 146_097 {
            let next = date.adding(days: 1)
            let isLastOfMonth = date.day == CivilDate.days(inMonth: date.month, of: date.year)
            let holds =
                date.dayNumber == number && CivilDate(dayNumber: number) == date && next > date
                && next.day == (isLastOfMonth ? 1 : date.day + 1)
            if !holds { Issue.record("\(next) does not follow \(date)") }
            date = next
        }
        #expect(date.description == "2200-01-01")
    }

    @Test func `agrees with foundation`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var random = RandomSource(seed: 3)
        for _ in 0..<2_000 {
            // Foundation's calendar is Julian before 1582-10-15.
            let number = Int.random(in: -141_000...2_900_000, using: &random)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            let date = CivilDate(dayNumber: number)
            #expect(date.year == parts.year && date.month == parts.month && date.day == parts.day)
        }
    }

    @Test(arguments: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
    func `reads back`(text: String) throws {
        #expect(try CivilDate(text).description == text)
    }

    @Test(arguments: [
        "2023-02-29", "1900-02-29", "2026-00-01", "2026-1-1", "2026-04-31", "2026-05-01 ", "26-05-01", "",
    ])
    func `rejects`(text: String) {
        #expect(throws: RuleViolation.self) { try CivilDate(text) }
    }
}
