/// Why a row is rejected: a code that is the same for all rows with the same fault, and a sentence.
struct RowRejection: Error, Equatable {
    let reason: String
    let detail: String

    static let noDate = RowRejection(reason: "no-date", detail: "eventDate and year are missing")
    static let invalidDate = RowRejection(
        reason: "invalid-date", detail: "not a date; write 2026-05-01, 2026-05 or 2026")
    static let unknownZone = RowRejection(
        reason: "invalid-date",
        detail: "the time zone is unknown, so the day is uncertain; write an offset such as -07:00 or Z")
    static let invalidTime = RowRejection(
        reason: "invalid-time",
        detail: "the time of day does not exist; write 07:30 or 07:30:15, with or without an offset")
    static let longInterval = RowRejection(
        reason: "date-interval", detail: "the interval is not within one year, so no day, month or year contains it")
    static let noPlace = RowRejection(
        reason: "no-coordinates", detail: "decimalLatitude or decimalLongitude is missing")
    static let absence = RowRejection(reason: "absence", detail: "the row says that nothing was there")
    static let invalidCount = RowRejection(
        reason: "invalid-count", detail: "the count is not a whole number from 1 to 1,000,000")
    static let repeatedID = RowRejection(
        reason: "repeated-id", detail: "an earlier row has the same occurrenceID and different content")
    static let redacted = RowRejection(
        reason: "redacted", detail: "this record was redacted and can no longer change")
    static let forPrivacy = RowRejection(
        reason: "withdrawn-for-privacy", detail: "this record was withdrawn for privacy and stays withdrawn")
    static let otherDataset = RowRejection(reason: "other-dataset", detail: "this record belongs to another dataset")

    static func invalidPlace(_ message: String) -> RowRejection {
        RowRejection(reason: "invalid-coordinates", detail: message)
    }

    static func implausibleDate(_ message: String) -> RowRejection {
        RowRejection(reason: "date-out-of-range", detail: message)
    }

    static func unrecordable(_ message: String) -> RowRejection {
        RowRejection(reason: "not-recordable", detail: message)
    }
}
