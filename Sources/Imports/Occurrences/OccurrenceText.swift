import Bytes
import Exchange

extension OccurrenceRow {
    /// A term's text without whitespace around it; nil if it is empty, or a marker that programs write for a missing
    /// value.
    func stated(_ term: DarwinCoreTerm) -> String? {
        guard let text = self[term]?.trimmed, !text.isEmpty else { return nil }
        return text.utf8.count <= 4 && Self.missing.contains(text.lowercased()) ? nil : text
    }

    /// As R, pandas, SQL, MySQL and Excel write it.
    private static let missing: Set<String> = ["na", "n/a", "nan", "null", "\\n", "#n/a"]
}

/// Words that say whether an animal was there, in columns of its count or its status.
enum PresenceWord {
    /// Whether a text says that nothing was there: a word, or zero in any spelling.
    static func isAbsence(_ text: String) -> Bool {
        DecimalText.number(text, decimalComma: true) == 0 || absences.contains(text.vocabularyForm)
    }

    /// Whether a text says that something was there and was not counted.
    static func isPresence(_ text: String) -> Bool {
        marks.contains(text) || presences.contains(text.vocabularyForm)
    }

    private static let absences: Set<String> = [
        "absent", "absence", "zero", "none", "nil", "no", "false", "negative", "notpresent", "notdetected",
        "notobserved",
        "notseen", "notfound", "notheard", "notrecorded", "nondetected", "nondetection", "undetected", "nodetection",
        "nonedetected", "noneobserved", "noneseen", "nonefound", "noneheard", "nonerecorded", "nosighting", "norecord",
    ]

    private static let presences: Set<String> = [
        "x", "present", "presence", "p", "yes", "y", "true", "detected", "observed", "seen", "heard", "recorded",
        "notcounted", "uncounted", "presentnotcounted", "presentuncounted", "countunknown", "unknown",
    ]

    private static let marks: Set<String> = ["+", "✓", "✔", "√"]
}
