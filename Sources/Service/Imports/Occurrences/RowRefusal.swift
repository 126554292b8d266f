/// Why one row becomes no record: a code that is the same for all rows with the same fault, and a sentence.
struct RowRefusal: Error, Equatable {
    let reason: String
    let detail: String

    static let noDate = RowRefusal(reason: "no-date", detail: "there is neither an eventDate nor a year")
    static let invalidDate = RowRefusal(
        reason: "invalid-date", detail: "the date is none that exists, such as 2026-05-01, 2026-05 or 2026")
    static let longInterval = RowRefusal(
        reason: "date-interval", detail: "the interval lies in two years, so that no year, month or day holds it")
    static let noPlace = RowRefusal(
        reason: "no-coordinates", detail: "decimalLatitude or decimalLongitude is missing")
    static let absence = RowRefusal(reason: "absence", detail: "the row says that nothing was there")
    static let invalidCount = RowRefusal(
        reason: "invalid-count", detail: "the count is no whole number from 1 to 1,000,000")
    static let repeatedID = RowRefusal(
        reason: "repeated-id", detail: "an earlier row has the same occurrenceID and another content")
    static let redacted = RowRefusal(
        reason: "redacted", detail: "a part of this record was taken out of the log; it cannot change any more")
    static let forPrivacy = RowRefusal(
        reason: "withdrawn-for-privacy", detail: "this record was withdrawn for privacy and stays so")
    static let otherDataset = RowRefusal(reason: "other-dataset", detail: "this record is of another dataset")

    static func invalidPlace(_ message: String) -> RowRefusal {
        RowRefusal(reason: "invalid-coordinates", detail: message)
    }

    static func implausibleDate(_ message: String) -> RowRefusal {
        RowRefusal(reason: "date-out-of-range", detail: message)
    }

    static func unrecordable(_ message: String) -> RowRefusal {
        RowRefusal(reason: "not-recordable", detail: message)
    }
}
