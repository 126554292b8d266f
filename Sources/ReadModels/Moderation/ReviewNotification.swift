package import Domain
import EventLog
package import FoundationEssentials
package import Postgres

/// A moderator's action on a sighting or a photo, for its owner.
package struct ReviewNotification: Hashable, Sendable {
    /// The kind of event.
    package enum Kind: String, Vocabulary {
        case approved, rejected, reopened, question, identified, hidden, shown
    }

    /// The position of the action.
    package let position: Int64
    package let kind: Kind
    package let subject: ReviewItem.Subject
    /// The id of the sighting or the photo.
    package let id: UUID
    /// nil for a photo whose upload was redacted.
    package let sighting: SightingID?
    /// The reasons of a rejection or of hiding.
    package let reasons: [String]
    package let recordedAt: Instant
}

extension ReviewNotification {
    package static let plan = ReadPlan(.moderation)
    /// Their table, with the column `account` besides those of ``selection``.
    package static let table: SQL = "\(identifier: ReadModel.moderation.schema).notifications"
    /// The columns of a row `s` of the table.
    package static let selection = PostgresRow.selection(columns)

    static let columns = ["position", "kind", "subject", "id", "sighting", "reasons", "recorded_at"]

    /// Reads the columns of ``selection``.
    /// - Throws: `PostgresError`.
    package init(_ row: PostgresRow) throws(PostgresError) {
        position = try row.decode("position")
        kind = try row.required(row.word("kind"), "kind")
        subject = try row.required(row.word("subject"), "subject")
        id = try row.decode("id")
        sighting = try row.id(optional: "sighting")
        reasons = try row.decode("reasons")
        recordedAt = try row.required(row.instant("recorded_at"), "recorded_at")
    }
}
