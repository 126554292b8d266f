import Bytes
import Domain

/// The time of a day as files write it: "07:30", "7:30:15.5 UTC", "0730-0700", "7:30 PM".
struct ClockText: Equatable {
    /// The meaning of a text as a time of day.
    enum Reading: Equatable {
        /// It does not begin with a time of day, or the rest is not understood.
        case none
        /// There is no such time: 99:99, or an offset of 30 hours.
        case nonexistent
        /// A time with the name of an unknown zone.
        case unknownZone
        case time(ClockText)
    }

    private let hour: Int
    private let minute: Int
    private let second: Int
    /// Digits of a fraction of a second.
    private let fraction: String
    /// Minutes ahead of UTC; nil if the text has no offset.
    private let offset: Int?

    static func read(_ text: some StringProtocol) -> Reading {
        var scanner = ClockScanner(text.lowercased())
        guard let digits = scanner.time() else { return .none }
        guard isTime(digits) else { return .nonexistent }
        let hour = scanner.hour(digits.hour)
        switch scanner.zone() {
        case .none: return .none
        case .unknown: return .unknownZone
        case .offset(let offset):
            guard offset.map({ abs($0) < 24 * 60 }) ?? true else { return .nonexistent }
            return .time(
                ClockText(
                    hour: hour, minute: digits.minute, second: digits.second, fraction: digits.fraction, offset: offset)
            )
        }
    }

    /// The end of a day may be written 24:00. Whether a leap second exists depends on its day.
    private static func isTime(_ digits: ClockScanner.Digits) -> Bool {
        let isInDay = digits.hour < 24 && digits.minute < 60 && digits.second <= 60
        return isInDay || (digits.hour, digits.minute, digits.second) == (24, 0, 0)
    }

    /// Whether the text has an offset from UTC.
    var hasOffset: Bool { offset != nil }

    /// The moment at which a clock shows this time on a day; nil without an offset, and for a leap second that does not
    /// exist.
    func instant(on date: CivilDate) -> ObservationTime? {
        guard let offset else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let day = hour == 24 ? date.adding(days: 1) : date
        let time = "\(two(hour % 24)):\(two(minute)):\(two(second))" + (fraction.isEmpty ? "" : "." + fraction)
        let sign = offset < 0 ? "-" : "+"
        return try? ObservationTime("\(day)T\(time)\(sign)\(two(abs(offset) / 60)):\(two(abs(offset) % 60))")
    }
}

/// Reads a time of day, in lower case, from left to right.
private struct ClockScanner {
    struct Digits {
        var (hour, minute, second) = (0, 0, 0)
        var fraction = ""
    }

    enum Zone {
        case none
        case unknown
        /// nil: the zone of the place.
        case offset(Int?)
    }

    private var rest: Substring

    init(_ text: String) {
        rest = Substring(text)
    }

    /// Takes "7", "07:30", "07:30:15.25", "0730" or "073015".
    mutating func time() -> Digits? {
        let first = digits()
        var found = Digits()
        switch first.count {
        case 1, 2:
            found.hour = Self.number(first)
            guard take(":") else { return rest.first == "." || rest.first == "," ? nil : found }
            let minute = digits()
            guard (1...2).contains(minute.count) else { return nil }
            found.minute = Self.number(minute)
            guard take(":") else { return found }
            let second = digits()
            guard (1...2).contains(second.count) else { return nil }
            found.second = Self.number(second)
        case 3, 4: (found.hour, found.minute) = (Self.number(first.dropLast(2)), Self.number(first.suffix(2)))
        case 6:
            (found.hour, found.minute) = (Self.number(first.prefix(2)), Self.number(first.dropFirst(2).prefix(2)))
            found.second = Self.number(first.suffix(2))
        default: return nil
        }
        if take(".") || take(",") { found.fraction = String(digits()) }
        return found
    }

    /// Takes "am" or "pm", and returns the hour that is meant.
    mutating func hour(_ hour: Int) -> Int {
        skipSpaces()
        let half = Self.halves.first {
            rest.hasPrefix($0.sign) && rest.dropFirst($0.sign.count).first?.isLetter != true
        }
        guard let half else { return hour }
        rest = rest.dropFirst(half.sign.count)
        return hour > 12 ? hour : hour % 12 + half.hours
    }

    private static let halves = [("am", 0), ("pm", 12), ("a.m.", 0), ("p.m.", 12)].map { (sign: $0, hours: $1) }

    /// Takes the rest: nothing, an offset, or the name of a zone with or without an offset from it. The name of a zone
    /// in brackets after an offset is ignored.
    mutating func zone() -> Zone {
        skipSpaces()
        if rest.isEmpty { return .offset(nil) }
        let name = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(name.count)
        guard let base = name.isEmpty ? .some(0) : Self.zones[String(name)] else { return .unknown }
        skipSpaces()
        guard let sign = rest.first, sign == "+" || sign == "-" || sign == "−" else {
            return isAtEnd && !name.isEmpty ? .offset(base) : name.isEmpty ? .none : .unknown
        }
        rest = rest.dropFirst()
        guard base == 0, let minutes = offsetDigits(), isAtEnd else { return name.isEmpty ? .none : .unknown }
        return .offset(sign == "+" ? minutes : -minutes)
    }

    /// Takes "7", "07", "07:00" or "0700". With more than 59 minutes, the result is a whole day, an offset that does
    /// not exist.
    private mutating func offsetDigits() -> Int? {
        let first = digits()
        var (hours, minutes) = (first, Substring())
        switch first.count {
        case 1, 2:
            if take(":") {
                minutes = digits()
                guard minutes.count == 2 else { return nil }
            }
        case 3, 4: (hours, minutes) = (first.dropLast(2), first.suffix(2))
        default: return nil
        }
        return Self.number(minutes) < 60 ? Self.number(hours) * 60 + Self.number(minutes) : 24 * 60
    }

    private var isAtEnd: Bool {
        let last = rest.drop(while: \.isWhitespace)
        guard let opening = last.first else { return true }
        return opening == "(" && last.last == ")"
    }

    /// Names of zones in minutes ahead of UTC; nil for the zone of the place.
    ///
    /// - Source: RFC 5322, section 4.3; the time zone database for Alaska and Hawaii.
    private static let zones: [String: Int?] = [
        "z": 0, "utc": 0, "gmt": 0, "ut": 0, "local": nil, "lt": nil,
        "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
        "akst": -540, "akdt": -480, "hst": -600,
    ]

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpaces() {
        rest = rest.drop(while: \.isWhitespace)
    }

    private mutating func digits() -> Substring {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return digits
    }

    private static func number(_ digits: Substring) -> Int { Int(digits) ?? 0 }
}
