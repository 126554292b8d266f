import Foundation
import Testing

@testable import Domain
@testable import Imports
@testable import Service

/// Dates and times as files write them. Places are in the zone of Los Angeles.
struct OccurrenceTimeTests {
    /// `eventDate`, `eventTime`, `year`, `month`, `day`, and the time that counts or the code of the rejection.
    struct Case: CustomTestStringConvertible {
        let fields: [String?]
        let expected: String

        init(_ date: String?, _ time: String? = nil, _ parts: String = "", _ expected: String) {
            let parts = parts.split(separator: " ").map(String.init) + [String?](repeating: nil, count: 3)
            (fields, self.expected) = ([date, time] + parts.prefix(3), expected)
        }

        var testDescription: String { fields.map { $0 ?? "-" }.joined(separator: " | ") }
    }

    private func told(_ fields: [String?]) throws -> String {
        do {
            let time = try OccurrenceTime(
                eventDate: fields[0], eventTime: fields[1], year: fields[2], month: fields[3], day: fields[4])
            return try time.resolved { instant in
                let zone = try ZoneName("America/Los_Angeles")
                return instant.date(offsetSeconds: try SystemZoneRules().offsetSeconds(of: zone, at: instant))
            }.description
        } catch let rejection as RowRejection {
            return rejection.reason
        }
    }

    private static let ownDays = [
        Case("2023-05-01T00:15:00Z", nil, "2023 5 1", "2023-05-01"),
        Case("2023-05-01T00:15:00Z", nil, "2023 4 30", "2023-05-01T00:15:00Z"),
        Case("2023-05-01T00:15:00Z", nil, "2023 5", "2023-05-01"),
        Case("2023-05-01T00:15:00Z", nil, "2023", "2023-05-01T00:15:00Z"),
        Case("2023-01-01T00:15:00Z", nil, "2023", "2023-01-01"),
        Case("2023-05-01T00:15:00Z", nil, "2023 13 1", "2023-05-01T00:15:00Z"),
        Case("1984-06-20T00:00:00Z", nil, "1984 6 20", "1984-06-20"),
        Case("2023-05-01T12:15:00-07:00", nil, "2023 5 1", "2023-05-01T12:15:00-07:00"),
        Case("2023-05-01T12:15:00-07:00", nil, "2023 5 3", "2023-05-03"),
        Case("2023-05-01", "00:15:00Z", "", "2023-05-01"), Case("2023-05-01", "19:15Z", "", "2023-05-01T19:15:00Z"),
        Case("2023-03-11", "2023-03-12 02:30:00 UTC", "", "2023-03-12T02:30:00Z"),
        Case("2023-03-12", "2023-03-12 02:30:00 UTC", "", "2023-03-12"),
        Case("2023-05-01T00:15:00Z/2023-05-01T01:15:00Z", nil, "2023 5 1", "2023-05-01"),
        Case("2023-05-01T00:15:00Z/2023-05-01T01:15:00Z", nil, "", "2023-04-30"),
        Case(nil, "12:15-0700", "2023 5 1", "2023-05-01T12:15:00-07:00"),
    ]

    private static let instants = [
        ("2023-03-12 02:30:00 UTC", "2023-03-12T02:30:00Z"), ("2023-03-12T02:30:00 Z", "2023-03-12T02:30:00Z"),
        ("2023-03-12 02:30 utc", "2023-03-12T02:30:00Z"), ("2023-03-12 02:30:00 GMT", "2023-03-12T02:30:00Z"),
        ("2023-03-12 02:30:00UTC", "2023-03-12T02:30:00Z"), ("2023-03-12 02:30:00.25 UTC", "2023-03-12T02:30:00.25Z"),
        ("2023-03-12 02:30:00 -0700", "2023-03-12T02:30:00-07:00"), ("2023-03-12 2:30 -7", "2023-03-12T02:30:00-07:00"),
        ("2023-03-12 02:30:00 UTC-7", "2023-03-12T02:30:00-07:00"),
        ("2023-03-12 02:30:00 GMT-0700 (PDT)", "2023-03-12T02:30:00-07:00"),
        ("2023-03-12T02:30:00-07:00[America/Los_Angeles]", "2023-03-12T02:30:00-07:00"),
        ("2023-03-12 02:30 PM PST", "2023-03-12T14:30:00-08:00"),
        ("2023-03-12 12:30 am PST", "2023-03-12T00:30:00-08:00"),
        ("20230312T023000Z", "2023-03-12T02:30:00Z"), ("2023-3-12T02:30Z", "2023-03-12T02:30:00Z"),
        ("2023-03-12T24:00 UTC", "2023-03-13T00:00:00Z"),
        ("2023-03-12 02:30:00", "2023-03-12"), ("2023-03-12 2:30 p.m.", "2023-03-12"),
        ("2023-03-12 0230", "2023-03-12"),
        ("2023-03-12 02:30 local", "2023-03-12"), ("2023-03-12T24:00", "2023-03-12"), ("2023-03-12T07", "2023-03-12"),
        ("2023-03-12 02:30 JST", "invalid-date"), ("2023-03-12 then", "invalid-date"),
    ]

    private static let parts = [
        Case("2009-04-00", nil, "2009 4 0", "2009-04"), Case("2009-00-00", nil, "2009 0 0", "2009"),
        Case(nil, nil, "2009 4 0", "2009-04"), Case(nil, nil, "2009 00 00", "2009"),
        Case(nil, nil, "2009 0.0 0", "2009"),
        Case(nil, nil, "2024 5.0 3.0", "2024-05-03"), Case(nil, nil, "2024.0 5.0", "2024-05"),
        Case(nil, nil, "2024.0", "2024"),
        Case("2024.0", nil, "", "2024"), Case("2009-4-5", nil, "", "2009-04-05"), Case("2009-4", nil, "", "2009-04"),
        Case("2009-04-00T00:00:00", nil, "", "2009-04"), Case("20090405", nil, "", "2009-04-05"),
        Case("0000-00-00", nil, "", "no-date"), Case("0000-00-00", nil, "2009 4", "2009-04"),
        Case(nil, nil, "0 0 0", "no-date"),
        Case(nil, nil, "", "no-date"), Case(nil, nil, "2009 5.5", "invalid-date"),
        Case(nil, nil, "2009 13", "invalid-date"),
        Case(nil, nil, "2009 2 30", "invalid-date"), Case(nil, nil, "24 5 3", "invalid-date"),
        Case(nil, nil, "2009 0x5", "invalid-date"), Case("2009-", nil, "", "invalid-date"),
        Case("2009-04-05-06", nil, "", "invalid-date"), Case("-2009", nil, "", "invalid-date"),
    ]

    private static let nonexistent: [Case] = [
        "99:99", "24:61", "25:00", "07:60", "07:30:61", "24:00:01", "2461", "07:30+99:99", "30:00Z", "99:99:99",
    ].flatMap { (clock: String) in
        [
            Case("2023-05-01T\(clock)", nil, "", "invalid-time"), Case("2023-05-01", clock, "", "invalid-time"),
            Case("2023-05-01T\(clock)", nil, "2023 5 1", "invalid-time"), Case(nil, clock, "2023 5 1", "invalid-time"),
            Case("2023-05-01", "07:00/\(clock)", "", "invalid-time"),
        ]
    }

    private static let others = [
        Case("2023-05-01", "dawn", "", "2023-05-01"), Case("2023-05-01", "0.3125", "", "2023-05-01"),
        Case("2023-05-01", "13:00:00Z/15:30:00Z", "", "2023-05-01"), Case("2023-05-01", "7:30 AM", "", "2023-05-01"),
        Case("2023-05-01", "1430", "", "2023-05-01"), Case("2023-05-01", "07:30 JST", "", "2023-05-01"),
        Case("2023-05-01T12:00/99:99", nil, "", "invalid-time"),
        Case("2016-12-31T23:59:60Z", nil, "", "2017-01-01T00:00:00Z"),
        Case("2016-12-31", "12:00:60Z", "", "invalid-time"),
        Case("2009-04-00/2009-05-00", nil, "", "2009"), Case("2009-4-1/2009-4-30", nil, "", "2009-04"),
        Case("2019-05-04 / 2019-05-06", nil, "", "2019-05"), Case("2019-05-04/..", nil, "2019 5 4", "2019-05-04"),
        Case("2019-05-04/2018-01-01", nil, "", "invalid-date"), Case("2018-12-31/2019-01-01", nil, "", "date-interval"),
        Case("2018/05/04", nil, "", "invalid-date"), Case("2018/05/04", nil, "2018 5 4", "2018-05-04"),
    ]

    @Test(arguments: ownDays + parts + nonexistent + others)
    func `the time that counts`(_ row: Case) throws {
        #expect(try told(row.fields) == row.expected)
    }

    @Test(arguments: instants) func `instants and days`(_ text: String, _ expected: String) throws {
        #expect(try told([text, nil, nil, nil, nil]) == expected)
    }
}
