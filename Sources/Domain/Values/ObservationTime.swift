/// The time of an observation, as precisely as it was reported and never more so.
package enum ObservationTime: Hashable, Sendable {
    /// A moment, and the offset from UTC in minutes with which it was reported.
    case instant(Instant, offsetMinutes: Int)
    /// A day, in the zone of the place.
    case day(CivilDate)
    /// A month, 1 to 12, in the zone of the place.
    case month(year: Int, month: Int)
    /// A year in the zone of the place.
    case year(Int)

    /// How precisely a time is known.
    package enum Precision: String, Vocabulary, Comparable {
        case instant, day, month, year

        private var coarseness: Int {
            switch self {
            case .instant: 0
            case .day: 1
            case .month: 2
            case .year: 3
            }
        }

        /// Orders from the finest to the coarsest.
        package static func < (one: Self, other: Self) -> Bool {
            one.coarseness < other.coarseness
        }
    }

    /// Reads "2026-05-01T07:30:00-07:00", "2026-05-01", "2026-05" or "2026".
    ///
    /// Seconds may be missing, and the offset may be written "-0700" or "-07", as Darwin Core files do.
    /// - Throws: ``RuleViolation`` for any other form; a time of day without an offset is one of them.
    package init(_ text: String) throws(RuleViolation) {
        var scanner = TimeScanner(text)
        guard let year = scanner.number(digits: 4) else { throw Self.form }
        if scanner.isAtEnd {
            self = .year(year)
            return
        }
        guard scanner.take("-"), let month = scanner.number(digits: 2) else { throw Self.form }
        guard (1...12).contains(month) else { throw RuleViolation(.format, "must name a month from 01 to 12") }
        if scanner.isAtEnd {
            self = .month(year: year, month: month)
            return
        }
        guard scanner.take("-"), let day = scanner.number(digits: 2) else { throw Self.form }
        let date = try CivilDate(year: year, month: month, day: day)
        self = scanner.isAtEnd ? .day(date) : try Self.time(on: date, &scanner)
    }

    private static func time(on date: CivilDate, _ scanner: inout TimeScanner) throws(RuleViolation) -> Self {
        guard scanner.take("Tt "), let time = scanner.timeOfDay(secondsRequired: false) else { throw form }
        guard let offset = scanner.offset(lenient: true) else {
            throw RuleViolation(.format, "must give the offset from UTC with a time of day, such as -07:00 or Z")
        }
        guard scanner.isAtEnd, time.isValid(offsetMinutes: offset) else { throw form }
        return .instant(Instant(date: date, time: time, offsetMinutes: offset), offsetMinutes: offset)
    }

    private static let form = RuleViolation(
        .format, "must be a time with offset, a date, a month or a year, such as 2026-05-01T07:30:00-07:00 or 2026-05")

    /// How precisely the time is known.
    package var precision: Precision {
        switch self {
        case .instant: .instant
        case .day: .day
        case .month: .month
        case .year: .year
        }
    }

    /// The first and the last day of a date, a month or a year; an instant's day depends on the zone.
    package var days: ClosedRange<CivilDate>? {
        switch self {
        case .instant:
            return nil
        case .day(let date):
            return date...date
        case .month(let year, let month):
            let first = CivilDate(uncheckedYear: year, month: month, day: 1)
            let last = CivilDate(uncheckedYear: year, month: month, day: CivilDate.days(inMonth: month, of: year))
            return first...last
        case .year(let year):
            let first = CivilDate(uncheckedYear: year, month: 1, day: 1)
            let last = CivilDate(uncheckedYear: year, month: 12, day: 31)
            return first...last
        }
    }
}

/// The canonical form.
extension ObservationTime: TimeInText {
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .instant(let instant, let offsetMinutes):
            instant.append(to: &bytes, offsetMinutes: offsetMinutes)
        case .day(let date):
            date.append(to: &bytes)
        case .month(let year, let month):
            TimeText.appendYear(year, to: &bytes)
            bytes.append(UInt8(ascii: "-"))
            TimeText.append(month, digits: 2, to: &bytes)
        case .year(let year):
            TimeText.appendYear(year, to: &bytes)
        }
    }
}
