package import Domain
import FoundationEssentials
import Postgres
package import ReadModels

/// A notification of an account, under its number.
package struct AccountNotification: Sendable {
    /// The subject of a notification.
    package enum Subject: Sendable {
        /// A moderator's action, with the moderator's note.
        case review(ReviewNotification, note: String?)
        case target(TargetNews)
    }

    /// Counts from 1, without gaps, for each account.
    package let number: Int
    package let subject: Subject
    /// When it was recorded; of a capture, when its change was noticed.
    package let recordedAt: Instant

    /// A word for what happened.
    package var kind: String {
        switch subject {
        case .review(let review, _): review.kind.rawValue
        case .target(let news): news.kind.rawValue
        }
    }
}

/// A change of a region's targets, or of what an account has captured of them.
package struct TargetNews: Hashable, Sendable {
    /// The kind of change.
    package enum Kind: String, Vocabulary {
        case chosen = "targets-chosen"
        case replaced = "target-replaced"
        /// A finding counts for a target, and waits for a decision.
        case sent = "target-sent"
        case captured = "target-captured"
        /// The finding counts no longer, and no other does.
        case lost = "target-lost"
    }

    package let kind: Kind
    package let region: RegionCode
    package let week: ISOWeek
    /// nil for a whole week.
    package let target: TargetID?
    /// The finding that counts, or counted, for the target.
    package let finding: SightingID?
}

extension AccountNotification {
    /// The columns of a row `i` of `vault.inbox`, with the moderator's action `s` and its note.
    static let selection: SQL = """
        i.number AS entry, i.kind AS news, i.region, i.monday::text AS monday, i.target, i.finding, i.at,
        \(fragment: ReviewNotification.selection),
        (SELECT c.value FROM vault.content c
          WHERE c.stream = s.id AND c.field = \(ContentField.decisionNote.rawValue) AND c.position = s.position) AS note
        """

    /// Reads the columns of ``selection``.
    init(_ row: PostgresRow) throws {
        number = try row.decode("entry")
        guard let word: String = try row.decode("news") else {
            let review = try ReviewNotification(row)
            subject = .review(review, note: try row.decode("note"))
            recordedAt = review.recordedAt
            return
        }
        guard let kind = TargetNews.Kind(rawValue: word) else {
            throw PostgresError(.decoding, "column kind holds no TargetNews.Kind")
        }
        subject = .target(
            TargetNews(
                kind: kind, region: RegionCode(unchecked: try row.decode("region")),
                week: ISOWeek(of: try CivilDate(try row.decode("monday", as: String.self))),
                target: try row.decode("target", as: UUID?.self).map { TargetID($0) },
                finding: try row.decode("finding", as: UUID?.self).map { SightingID($0) }))
        recordedAt = Instant(try row.decode("at", as: Date.self))
    }
}
