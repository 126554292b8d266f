import Bytes
import Domain
import Exchange

/// The time of an observation, from its Darwin Core terms and no more precise than they are.
///
/// `eventDate` decides, with `eventTime` if that makes it an instant; if it cannot be read, or is missing,
/// `year`, `month` and `day` do. A time of day without an offset cannot be compared, so only the day is
/// stored.
enum OccurrenceTime {
    /// - Throws: ``RowRefusal``.
    static func time(of row: OccurrenceRow) throws(RowRefusal) -> ObservationTime {
        try time(
            eventDate: row[.eventDate], eventTime: row[.eventTime], year: row[.year], month: row[.month], day: row[.day]
        )
    }

    static func time(
        eventDate: String?, eventTime: String?, year: String?, month: String?, day: String?
    ) throws(RowRefusal) -> ObservationTime {
        if let text = eventDate?.trimmed, !text.isEmpty {
            if let time = try time(eventDate: text, eventTime: eventTime?.trimmed) { return time }
        } else if year?.trimmed.isEmpty ?? true {
            throw .noDate
        }
        guard let time = time(year: year, month: month, day: day) else { throw .invalidDate }
        return time
    }

    private static func time(eventDate text: String, eventTime: String?) throws(RowRefusal) -> ObservationTime? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0).trimmed }
        if parts.count == 2 { return try interval(parts[0], parts[1]) }
        guard parts.count == 1, let time = single(text) else { return nil }
        if case .day = time, let eventTime, !eventTime.isEmpty, text.utf8.count == 10 {
            return (try? ObservationTime("\(text)T\(eventTime)")) ?? time
        }
        return time
    }

    /// A date, or a date with a time of day whose offset may be missing.
    private static func single(_ text: String) -> ObservationTime? {
        if let time = try? ObservationTime(text) { return time }
        let rest = text.dropFirst(10)
        guard let separator = rest.first, "Tt ".contains(separator), rest.dropFirst().first?.isNumber == true,
            let date = try? CivilDate(String(text.prefix(10)))
        else { return nil }
        return .day(date)
    }

    private static func time(year: String?, month: String?, day: String?) -> ObservationTime? {
        guard let year = year?.trimmed, !year.isEmpty else { return nil }
        var text = year
        for part in [month, day] {
            guard let part = part?.trimmed, !part.isEmpty else { break }
            text += "-" + (part.utf8.count == 1 ? "0" + part : part)
        }
        return try? ObservationTime(text)
    }
}

// MARK: - Intervals

extension OccurrenceTime {
    /// The shortest of day, month and year that contains both ends.
    private static func interval(_ first: String, _ second: String) throws(RowRefusal) -> ObservationTime? {
        guard let start = single(first), let end = single(completed(second, by: first)) else { return nil }
        if start == end { return start }
        guard let from = days(of: start)?.lowerBound, let to = days(of: end)?.upperBound, from <= to else { return nil }
        if from == to { return .day(from) }
        guard from.year == to.year else { throw .longInterval }
        return from.month == to.month ? .month(year: from.year, month: from.month) : .year(from.year)
    }

    private static func days(of time: ObservationTime) -> ClosedRange<CivilDate>? {
        guard case .instant(let instant, let offsetMinutes) = time else { return time.days }
        let date = instant.date(offsetSeconds: offsetMinutes * 60)
        return date...date
    }

    /// The end of an interval may omit what it shares with the start: "2007-11-13/15", "2007-11-13T09:00/11:00".
    private static func completed(_ end: String, by start: String) -> String {
        let date = start.prefix(10)
        if end.contains(":"), !end.contains("-") || end.prefix(3).contains(":"), end.utf8.count < 19 {
            return "\(date)T\(end)"
        }
        guard single(end) == nil, end.utf8.count < date.utf8.count else { return end }
        return date.dropLast(end.count) + end
    }
}
