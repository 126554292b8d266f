import Testing

@testable import Domain

struct PlausibleTimesTests {
    @Test(arguments: [
        // On Kiritimati, the 2nd begins at 10:00 UTC of the 1st; clocks may be 15 minutes fast.
        ("2026-05-01T09:44:59Z", "2026-05-02", false), ("2026-05-01T09:45:00Z", "2026-05-02", true),
        ("2026-05-01T23:59:59Z", "2026-05-02", true), ("2026-05-01T23:59:59Z", "2026-05-03", false),
        ("2026-05-31T10:00:00Z", "2026-06-01", true), ("2026-12-31T10:00:00Z", "2027-01-01", true),
        ("2026-12-31T09:00:00Z", "2027-01-01", false), ("2026-05-01T00:00:00Z", "1600-01-01", true),
        ("2026-05-01T00:00:00Z", "1599-12-31", false),
    ])
    func `a day has begun when it has begun anywhere`(now: String, day: String, isPlausible: Bool) throws {
        let (times, day) = (PlausibleTimes(receivedAt: Samples.instant(now)), try CivilDate(day))
        #expect(isPlausible == ((try? times.check(day)) != nil))
    }

    /// The zone of the place makes no difference.
    @Test(arguments: ["UTC", "America/Los_Angeles"], ["2026-05-02", "2026-05-02T00:00:00Z"])
    func `a date is checked as such, a moment as a moment`(zone: String, time: String) throws {
        let observed = try Samples.observed(time, zone: zone)
        let isPlausible = (try? observed.checkPlausible(receivedAt: Samples.instant("2026-05-01T12:00:00Z"))) != nil
        #expect(isPlausible == (time.count == 10))
    }

    @Test(arguments: [
        ("2026-05-02T00:15:00Z", nil), ("2026-05-02T00:15:01Z", "must not be in the future"),
        ("2030-01-01T00:00:00Z", "must not be in the future"), ("1600-01-01T00:00:00Z", nil),
        ("1599-12-31T23:59:59Z", "must not be before the year 1600"),
    ])
    func `an outing is checked like its sightings`(startedAt: String, message: String?) throws {
        let visit = try Visit(id: Samples.id(9), startedAt: Samples.instant(startedAt))
        let faults = Faults(message.map { [Fault("/startedAt", RuleViolation(.range, $0))] } ?? [])
        do throws(Faults) {
            try visit.checkPlausible(receivedAt: Samples.now)
            #expect(faults.isEmpty)
        } catch {
            #expect(error == faults)
        }
    }
}
