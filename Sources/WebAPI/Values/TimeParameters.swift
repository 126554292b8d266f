package import Domain

/// One end of a period: a day, in the zone of each record's place, or a moment.
package enum TimeBound: Hashable, Sendable {
    /// The whole day belongs to the period.
    case date(CivilDate)
    /// The moment belongs to the period.
    case instant(Instant)

    /// Reads a date or an RFC 3339 time. A space stands for the "+" of an offset that nobody escaped.
    /// - Throws: `RuleViolation` for any other form.
    package init(_ text: String) throws(RuleViolation) {
        if text.utf8.count == 10, let date = try? CivilDate(text) {
            self = .date(date)
        } else if let instant = try? Instant(TimeBound.repairingOffset(text)) {
            self = .instant(instant)
        } else {
            throw RuleViolation(.format, "must be a date or a time with offset, such as 2026-05-01T07:30:00-07:00")
        }
    }

    static func repairingOffset(_ text: String) -> String {
        // Between date and time a space is as good as "T".
        guard let space = text.lastIndex(of: " "), text.utf8.distance(from: text.startIndex, to: space) > 10 else {
            return text
        }
        return text.replacingCharacter(at: space, with: "+")
    }
}

/// The moment whose knowledge an answer is asked for.
package enum AsOf: Hashable, Sendable {
    /// A position in the log.
    case position(GivenLogPosition)
    /// The last position recorded at or before a time.
    case time(Instant)

    /// Reads a position or an RFC 3339 time.
    /// - Throws: `RuleViolation` for any other form.
    package init(_ text: String) throws(RuleViolation) {
        if let position = GivenLogPosition(text) {
            self = .position(position)
        } else if let instant = try? Instant(TimeBound.repairingOffset(text)) {
            self = .time(instant)
        } else {
            throw RuleViolation(.format, "must be a position of the log or a time with offset")
        }
    }

    /// Refuses a time that is still to come.
    /// - Throws: `ProblemDetails` (422).
    package func check(now: Instant) throws(ProblemDetails) {
        if case .time(let time) = self, time > now { throw ProblemDetails(.positionInFuture) }
    }
}

extension String {
    fileprivate func replacingCharacter(at index: Index, with character: Character) -> String {
        var text = self
        text.replaceSubrange(index...index, with: CollectionOfOne(character))
        return text
    }
}
