/// How an answer about a range divides time.
package enum RangePeriodKind: String, Vocabulary {
    case year
    /// Five years from a multiple of five.
    case fiveYears = "5-year"
    /// An ISO week, of all years together.
    case weekOfYear = "week-of-year"
}

/// A period of an answer about a range.
package enum RangePeriod: Hashable, Comparable, Sendable {
    /// The years, both included.
    case years(from: Int, to: Int)
    /// The ISO week: 1 to 53.
    case week(Int)

    /// The period that holds all days, or nil where none does.
    ///
    /// The days are local dates of the place: the whole of a record's observed interval, as a month or a year is never
    /// narrowed to a day.
    package init?(_ kind: RangePeriodKind, from: CivilDate, to: CivilDate) {
        guard from <= to else { return nil }
        switch kind {
        case .year:
            guard from.year == to.year else { return nil }
            self = .years(from: from.year, to: from.year)
        case .fiveYears:
            let first = from.year.dividedDown(by: 5) * 5
            guard to.year - first < 5 else { return nil }
            self = .years(from: first, to: first + 4)
        case .weekOfYear:
            let week = ISOWeek(of: from)
            guard week == ISOWeek(of: to) else { return nil }
            self = .week(week.week)
        }
    }

    /// The period that an observation belongs to, or nil where its interval lies in none.
    package init?(_ kind: RangePeriodKind, of observed: ObservedInterval) {
        self.init(kind, from: observed.localFrom, to: observed.localTo)
    }

    /// The year, or the one in the middle, that stands for the period in a trend; nil for a week.
    package var middle: Double? {
        guard case .years(let from, let to) = self else { return nil }
        return (Double(from) + Double(to)) / 2
    }

    /// The number of years; nil for a week.
    var length: Double? {
        guard case .years(let from, let to) = self else { return nil }
        return Double(to) - Double(from) + 1
    }

    private var order: (Int, Int, Int) {
        switch self {
        case .years(let from, let to): (0, from, to)
        case .week(let week): (1, week, 0)
        }
    }

    /// Years in their order, then weeks.
    package static func < (one: Self, other: Self) -> Bool {
        one.order < other.order
    }
}
