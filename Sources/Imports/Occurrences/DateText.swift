import Bytes
import Domain
import Exchange

/// A date as files write it, with or without the time of day: ISO 8601, and variants that programs write.
enum DateText {
    /// The meaning of a text as a date.
    enum Reading: Equatable {
        /// It is not a date.
        case none
        /// The year is zero, as databases write a missing date.
        case missing
        /// A date with a time of day in an unknown zone.
        case unknownZone
        case time(ObservationTime)
    }

    /// - Throws: ``RowRejection/invalidTime`` for a date with a time of day that does not exist.
    static func read(_ text: String) throws(RowRejection) -> Reading {
        if text.hasPrefix("0000") { return .missing }
        if let time = try? ObservationTime(text) { return .time(time) }
        guard let separator = text.firstIndex(where: { "Tt ".contains($0) }) else { return date(text) }
        let time = ClockText.read(text[text.index(after: separator)...].drop(while: \.isWhitespace))
        let date = date(String(text[..<separator]))
        guard case .time(let day) = date else { return date }
        switch time {
        case .none: return .none
        case .nonexistent: throw .invalidTime
        case .unknownZone: return .unknownZone
        case .time(let clock): return .time(try on(day, clock))
        }
    }

    /// A time of day on a day, as precise as both are.
    /// - Throws: ``RowRejection/invalidTime`` for a leap second that does not exist.
    static func on(_ day: ObservationTime, _ clock: ClockText) throws(RowRejection) -> ObservationTime {
        guard case .day(let date) = day, clock.hasOffset else { return day }
        guard let instant = clock.instant(on: date) else { throw .invalidTime }
        return instant
    }

    /// A date from its parts, which ends before the first that is missing or zero; `none` if there is no such date.
    ///
    /// - Parameter decimalComma: whether a part may be written 5,0.
    static func date(year: String?, month: String?, day: String?, decimalComma: Bool = false) -> Reading {
        func part(_ text: String?) -> Int? {
            guard let text = text?.trimmed, !text.isEmpty else { return 0 }
            return DecimalText.wholeNumber(text, decimalComma: decimalComma)
        }
        guard let year = part(year), let month = part(month), let day = part(day) else { return .none }
        guard year != 0 else { return .missing }
        guard (1000...9999).contains(year), (0...12).contains(month) else { return .none }
        guard month != 0 else { return .time(.year(year)) }
        guard day != 0 else { return .time(.month(year: year, month: month)) }
        return (try? CivilDate(year: year, month: month, day: day)).map { .time(.day($0)) } ?? .none
    }

    /// "2009", "2009.0", "2009-4", "2009-04-00", "2009-4-5" or "20090405".
    private static func date(_ text: String) -> Reading {
        if text.utf8.count == 8, Int(text) != nil {
            return date("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0.first?.isNumber == true }) else { return .none }
        return date(year: parts[0], month: parts.dropFirst().first, day: parts.dropFirst(2).first)
    }
}
