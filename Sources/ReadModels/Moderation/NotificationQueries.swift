package import Domain
package import EventLog
package import FoundationEssentials
package import Postgres

/// A moderator's action on a sighting or a photo, for its owner.
package struct ReviewNotification: Hashable, Sendable {
    /// The kind of event.
    package enum Kind: String, Vocabulary {
        case approved, rejected, reopened, question, identified, hidden, shown
    }

    /// Counts from 1, without gaps, for each account.
    package let number: Int
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
    static let columns = ["number", "kind", "subject", "id", "sighting", "reasons", "recorded_at"]

    init(_ row: PostgresRow) throws(PostgresError) {
        number = try row.decode("number")
        kind = try row.required(row.word("kind"), "kind")
        subject = try row.required(row.word("subject"), "subject")
        id = try row.decode("id")
        sighting = try row.id(optional: "sighting")
        reasons = try row.decode("reasons")
        recordedAt = try row.required(row.instant("recorded_at"), "recorded_at")
    }
}

/// Reads an account's notifications.
package struct NotificationQueries: Sendable {
    /// The read model that is queried.
    package static let model = ReadModel.moderation

    private let database: any PostgresQuerying
    private let table: SQL = "\(identifier: ReadModel.moderation.schema).notifications s"

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The notifications with the lowest numbers above `number`, in their order.
    /// - Parameter columns: further columns of the notification `s`, to be read from the row.
    /// - Throws: `PostgresError`.
    package func notifications(
        of account: AccountID, after number: Int, limit: Int, and columns: SQL
    ) async throws(PostgresError) -> [(notification: ReviewNotification, row: PostgresRow)] {
        let result = try await database.query(
            """
            select \(fragment: PostgresRow.selection(ReviewNotification.columns)), \(fragment: columns)
              from \(fragment: table)
             where s.account = \(account.uuid) and s.number > \(number)
             order by s.number limit \(limit)
            """)
        var list: [(notification: ReviewNotification, row: PostgresRow)] = []
        for row in result.rows { list.append((try ReviewNotification(row), row)) }
        return list
    }

    /// The number of the newest notification; 0 if there is none.
    /// - Throws: `PostgresError`.
    package func newest(of account: AccountID) async throws(PostgresError) -> Int {
        try await database.query(
            """
            select coalesce(max(s.number), 0)::bigint as newest from \(fragment: table)
             where s.account = \(account.uuid)
            """
        ).onlyRow().decode("newest")
    }
}
