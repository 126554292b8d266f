import Domain
import Testing

struct ObservationTimeTests {
    @Test(arguments: [
        ("2026-05-01T07:30:00-07:00", "2026-05-01T07:30:00-07:00", ObservationTime.Precision.instant),
        ("2026-05-01 07:30-0700", "2026-05-01T07:30:00-07:00", .instant),
        ("2026-05-01T07:30:15.250+00:00", "2026-05-01T07:30:15.25Z", .instant),
        ("2026-05-01", "2026-05-01", .day), ("2026-05", "2026-05", .month), ("2026", "2026", .year),
    ])
    func `keeps the precision`(text: String, normal: String, precision: ObservationTime.Precision) throws {
        let time = try ObservationTime(text)
        #expect(time.description == normal)
        #expect(time.precision == precision)
        #expect(try ObservationTime(normal) == time)
    }

    @Test(arguments: [
        "", "yesterday", "26", "2026-5", "2026-13", "2026-02-30", "2026-05-01T", "2026-05-01T07", "2026-05-01T07:30",
        "2026-05-01T07:30:00", "2026-05-01/2026-05-03", "2026-05-01T07:30:00Zx", "20260501",
    ])
    func `rejects`(text: String) {
        #expect(throws: RuleViolation.self) { try ObservationTime(text) }
    }

    @Test func `a period runs from its first to the day after its last`() throws {
        let month = try Samples.observed("2024-02")
        #expect(month.localFrom.description == "2024-02-01" && month.localTo.description == "2024-02-29")
        #expect(month.from == Samples.instant("2024-02-01T08:00:00Z"))
        #expect(month.to == Samples.instant("2024-03-01T08:00:00Z"))
        let year = try Samples.observed("2024", zone: "UTC")
        #expect(year.localFrom.description == "2024-01-01" && year.localTo.description == "2024-12-31")
    }

    @Test func `an instant falls on the day of its place`() throws {
        let told = "2026-05-01T23:30:00-07:00"
        #expect(try Samples.observed(told, zone: "UTC").localFrom.description == "2026-05-02")
        #expect(try Samples.observed(told).localFrom.description == "2026-05-01")
        let interval = try Samples.observed(told)
        #expect(interval.from == interval.to)
    }

    @Test func `an unknown zone is named`() throws {
        #expect(throws: UnknownZone(try ZoneName("Mars/Olympus"))) {
            try Samples.observed("2026", zone: "Mars/Olympus")
        }
    }

    @Test(arguments: [
        ("2026-05-02T00:15:00Z", true), ("2026-05-02T00:15:01Z", false), ("2026-05-01", true), ("2026-05-02", true),
        ("2026-05-03", false), ("2026", true), ("2026-05", true), ("2026-06", false), ("2027", false),
        ("1600-01-01", true), ("1599-12-31", false), ("1600", true),
    ])
    func `is neither in the future nor before 1600`(text: String, isPlausible: Bool) throws {
        // Received when a day begins in UTC; in Los Angeles it is still the day before.
        let observed = try Samples.observed(text)
        if isPlausible {
            #expect(throws: Never.self) { try observed.checkPlausible(receivedAt: Samples.now) }
        } else {
            #expect(throws: RuleViolation.self) { try observed.checkPlausible(receivedAt: Samples.now) }
        }
    }
}
