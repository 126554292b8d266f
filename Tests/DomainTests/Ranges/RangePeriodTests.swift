import Testing

@testable import Domain

struct RangePeriodTests {
    private func period(_ kind: RangePeriodKind, _ from: String, _ to: String? = nil) throws -> RangePeriod? {
        RangePeriod(kind, from: try CivilDate(from), to: try CivilDate(to ?? from))
    }

    @Test func `a whole interval belongs to a year, or to none`() throws {
        #expect(try period(.year, "2024-02-29") == .years(from: 2024, to: 2024))
        #expect(try period(.year, "2024-01-01", "2024-12-31") == .years(from: 2024, to: 2024))
        #expect(try period(.year, "2023-12-31", "2024-01-01") == nil)
    }

    @Test func `five years start at a multiple of five`() throws {
        #expect(try period(.fiveYears, "2004-12-31") == .years(from: 2000, to: 2004))
        #expect(try period(.fiveYears, "2005-01-01", "2005-12-31") == .years(from: 2005, to: 2009))
        #expect(try period(.fiveYears, "2004-12-31", "2005-01-01") == nil)
        #expect(try period(.fiveYears, "2004-12-31")?.middle == 2002)
    }

    @Test func `only a day has a week of the year`() throws {
        // The Monday of the first week of 2025 is in 2024.
        #expect(try period(.weekOfYear, "2024-12-30") == .week(1))
        #expect(try period(.weekOfYear, "2020-12-31") == .week(53))
        #expect(try period(.weekOfYear, "2024-05-01", "2024-05-31") == nil)
        #expect(try period(.weekOfYear, "2024-01-01", "2024-12-31") == nil)
        #expect(RangePeriod.week(1).middle == nil)
    }

    @Test func `the first reason that applies is the one counted`() {
        var record = RangeCandidate()
        var rule = RangeRule(side: .ten)
        #expect(rule.reason(against: record) == nil)
        record.isPending = true
        #expect(rule.reason(against: record) == .pending)
        record.fitsPeriod = false
        #expect(rule.reason(against: record) == .period)
        rule.minConfidence = 5
        #expect(rule.reason(against: record) == .noConfidence)
        record.confidence = 4
        #expect(rule.reason(against: record) == .lowConfidence)
        record.hasPlace = false
        #expect(rule.reason(against: record) == .noPlace)
        record.uncertaintyMetres = 10_000.5
        #expect(rule.reason(against: record) == .uncertain)
        record.isPrompted = true
        #expect(rule.reason(against: record) == .prompted)
        record.isQualified = true
        #expect(rule.reason(against: record) == .qualified)
        record.isCaptive = true
        #expect(rule.reason(against: record) == .captive)
        #expect(rule.leftOut(of: [record, RangeCandidate(), record]).map(\.records) == [2, 1])
    }

    @Test func `an uncertainty of the cell's side counts, as does an unknown one`() {
        var record = RangeCandidate()
        record.uncertaintyMetres = 10_000
        #expect(RangeRule(side: .ten).reason(against: record) == nil)
        record.uncertaintyMetres = .nan
        #expect(RangeRule(side: .ten).reason(against: record) == .uncertain)
    }
}
