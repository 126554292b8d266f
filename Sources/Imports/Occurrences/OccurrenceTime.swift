import Bytes
import Domain
import Exchange

/// The time of an observation, from its Darwin Core terms and no more precise than they are.
///
/// `eventDate` decides; if it cannot be read, or is missing, `year`, `month` and `day` do. `eventTime` makes an instant
/// of a day if it has an offset; a time of day without one cannot be compared, so only the day is stored. A day that a
/// row gives beside an instant takes precedence over it: some portals write local times as if they were UTC.
struct OccurrenceTime: Equatable {
    /// Both ends of an interval; the same for a single time.
    private var ends: (first: ObservationTime, last: ObservationTime)
    /// The day, month or year that the row also gives.
    private var own: ObservationTime?

    /// - Throws: ``RowRejection``.
    init(_ row: OccurrenceRow) throws(RowRejection) {
        try self.init(
            eventDate: row.stated(.eventDate), eventTime: row.stated(.eventTime), year: row.stated(.year),
            month: row.stated(.month), day: row.stated(.day), decimalComma: row.hasDecimalCommas(.year))
    }

    /// - Throws: ``RowRejection``.
    init(
        eventDate: String?, eventTime: String?, year: String?, month: String?, day: String?, decimalComma: Bool = false
    ) throws(RowRejection) {
        let parts = DateText.date(year: year, month: month, day: day, decimalComma: decimalComma)
        if case .time(let time) = parts { own = time }
        switch try Self.interval(eventDate ?? "") {
        case .times(let first, let last): ends = (first, last)
        case .failed(let reading):
            guard let own else { throw Self.rejection(eventDate: reading, parts: parts) }
            ends = (own, own)
        }
        if let eventTime { try add(eventTime) }
    }

    private static func rejection(eventDate: DateText.Reading, parts: DateText.Reading) -> RowRejection {
        if eventDate == .unknownZone { return .unknownZone }
        return eventDate == .missing && parts == .missing ? .noDate : .invalidDate
    }

    /// `eventTime` is a time of day, two of them, or a date with a time of day.
    private mutating func add(_ text: String) throws(RowRejection) {
        var found: [ObservationTime] = []
        for part in text.split(separator: "/") {
            let part = String(part).trimmed
            switch ClockText.read(part) {
            case .nonexistent: throw .invalidTime
            case .time(let clock): found.append(try DateText.on(ends.first, clock))
            case .none, .unknownZone:
                if case .time(let time) = try DateText.read(part) { found.append(time) }
            }
        }
        guard ends.first == ends.last, case .day = ends.first, found.count == 1, case .instant = found[0] else {
            return
        }
        own = ends.first
        ends = (found[0], found[0])
    }

    static func == (one: Self, other: Self) -> Bool {
        one.ends == other.ends && one.own == other.own
    }
}

// MARK: - The time that counts

extension OccurrenceTime {
    /// The time of the observation: the instant or date, or the shortest of day, month and year that contains both ends
    /// of an interval; if instants are on another day than the row's own, that day.
    ///
    /// - Parameter localDate: the date of a moment in the zone of the place.
    /// - Throws: ``RowRejection``; what `localDate` throws.
    func resolved(localDate: (Instant) throws -> CivilDate) throws -> ObservationTime {
        let (first, last) = ends
        let isOfInstants = first.days == nil || last.days == nil
        guard isOfInstants || first != last else { return first }
        let from = try days(of: first, localDate).lowerBound
        let to = try days(of: last, localDate).upperBound
        if isOfInstants, let own, let days = own.days, from <= to, !days.overlaps(from...to) {
            return Self.day(of: first, in: days) ?? own
        }
        if first == last { return first }
        guard from <= to else {
            guard let own else { throw RowRejection.invalidDate }
            return own
        }
        if from == to { return .day(from) }
        guard from.year == to.year else { throw RowRejection.longInterval }
        return from.month == to.month ? .month(year: from.year, month: from.month) : .year(from.year)
    }

    /// An instant in an interval is on the day given by its offset, unless that is UTC, which says nothing about the
    /// place.
    private func days(
        of time: ObservationTime, _ localDate: (Instant) throws -> CivilDate
    ) throws -> ClosedRange<CivilDate> {
        if let days = time.days { return days }
        guard case .instant(let instant, let offset) = time else { throw RowRejection.invalidDate }
        let isLocal = offset != 0 && ends.first != ends.last
        let date = isLocal ? instant.date(offsetSeconds: offset * 60) : try localDate(instant)
        return date...date
    }

    /// The date with which an instant is written, if it is one of the days that the row also gives.
    private static func day(of time: ObservationTime, in days: ClosedRange<CivilDate>) -> ObservationTime? {
        guard case .instant(let instant, let offset) = time else { return nil }
        let written = instant.date(offsetSeconds: offset * 60)
        return days.contains(written) ? .day(written) : nil
    }
}

// MARK: - Intervals

extension OccurrenceTime {
    private enum Interval {
        case times(ObservationTime, ObservationTime)
        case failed(DateText.Reading)
    }

    private static func interval(_ text: String) throws(RowRejection) -> Interval {
        if text.isEmpty { return .failed(.missing) }
        // RFC 9557 adds the name of the zone in brackets, which may contain a slash.
        let text = text.contains("[") ? text.replacing(/\[[^\]]*\]/, with: "") : text
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard parts.count <= 2 else { return .failed(.none) }
        let start = try DateText.read(parts[0])
        let end = parts.count == 1 ? start : try DateText.read(try completed(parts[1], by: parts[0]))
        switch (start, end) {
        case (.time(let first), .time(let last)): return .times(first, last)
        case (.time, let failure), (let failure, _): return .failed(failure)
        }
    }

    /// The end of an interval may omit what it shares with the start: "2007-11-13/15", "2007-11-13T09:00/11:00".
    private static func completed(_ end: String, by start: String) throws(RowRejection) -> String {
        let date = start.prefix(10)
        if end.contains(":"), !end.contains("-") || end.prefix(3).contains(":"), end.utf8.count < 19 {
            return "\(date)T\(end)"
        }
        guard try DateText.read(end) == .none, end.utf8.count < date.utf8.count else { return end }
        return date.dropLast(end.count) + end
    }
}
