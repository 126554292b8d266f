import Domain
import Foundation
import TestRandom
import Testing

struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)),
        ("2026-05-01T07:30:00-07:00", 1_777_645_800_000_000),
        ("2026-05-01t14:30:00.123456789z", 1_777_645_800_123_456),
        ("1969-12-31 23:59:59.5+00:00", -500_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
        ("2016-12-31T15:59:60-08:00", 1_483_228_800_000_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ])
    func `reads`(text: String, microseconds: Int64) throws {
        #expect(try Instant(text).microsecondsSince1970 == microseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-05-01", "2026-05-01T07:30:00", "2026-05-01T07:30-07:00", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-05-01T24:00:00Z", "2026-05-01T07:60:00Z", "2026-05-01T07:30:61Z",
        "2026-05-01T07:30:60Z", "2026-05-01T07:30:00.Z", "2026-05-01T07:30:00+7:00", "2026-05-01T07:30:00+24:00",
        "2026-05-01T07:30:00+0700", "2026-05-01T07:30:00Z ", "+2026-05-01T07:30:00Z", "٢٠٢٦-05-01T07:30:00Z",
    ])
    func `rejects`(text: String) {
        #expect(throws: RuleViolation.self) { try Instant(text) }
    }

    @Test(arguments: ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+00:01"])
    func `rejects what has no year of four digits in UTC`(text: String) {
        #expect(throws: RuleViolation.self) { try Instant(text) }
    }

    @Test func `reads back with any offset`() throws {
        var random = RandomSource(seed: 1)
        let years =
            try Instant("0001-01-01T00:00:00Z")
            .microsecondsSince1970...Instant("9998-12-31T00:00:00Z").microsecondsSince1970
        for _ in 0..<5_000 {
            let instant = Instant(microsecondsSince1970: Int64.random(in: years, using: &random))
            let offset = Int.random(in: -1439...1439, using: &random)
            #expect(try Instant(instant.text(offsetMinutes: offset)) == instant)
        }
    }

    @Test func `agrees with foundation`() throws {
        var random = RandomSource(seed: 2)
        for _ in 0..<2_000 {
            // Foundation's calendar is Julian before 1582-10-15.
            let seconds = Int64.random(in: -12_000_000_000...200_000_000_000, using: &random)
            let text = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
            #expect(try Instant(text).microsecondsSince1970 == seconds * 1_000_000)
            #expect(Instant(microsecondsSince1970: seconds * 1_000_000).description == text)
        }
    }

    @Test func `writes no more decimals than it takes`() {
        #expect(Instant(microsecondsSince1970: 1_500_000).description == "1970-01-01T00:00:01.5Z")
        #expect(Instant(microsecondsSince1970: -1).description == "1969-12-31T23:59:59.999999Z")
        #expect(Instant(microsecondsSince1970: 0).text(offsetMinutes: -210) == "1969-12-31T20:30:00-03:30")
    }

    @Test(arguments: [
        ("2026-05-01T00:00:00Z", 86_400), ("2026-05-01T23:59:59Z", 1), ("2026-05-01T23:59:58.5Z", 2),
        ("1969-12-31T23:00:00Z", 3600),
    ])
    func `knows when the next day begins`(text: String, seconds: Int) throws {
        #expect(try Instant(text).secondsLeftOfDay == seconds)
    }

    @Test func `the ends of time do not trap`() {
        for instant in [Instant(microsecondsSince1970: .min), Instant(microsecondsSince1970: .max)] {
            #expect(!instant.text(offsetMinutes: 1439).isEmpty && !instant.text(offsetMinutes: -1439).isEmpty)
        }
        #expect(Instant(microsecondsSince1970: .max).adding(seconds: 1).microsecondsSince1970 == .max)
        #expect(Instant(microsecondsSince1970: 0).adding(seconds: .min).microsecondsSince1970 == .min)
    }
}
