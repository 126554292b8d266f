package import Domain
import EventLog
import FoundationEssentials
import Postgres

/// The review of a sighting, as far as its owner knows it.
package struct OwnReview: Hashable, Sendable {
    /// The decision that is still to come; nil where none is open, and for a first one.
    package enum Kind: String, Vocabulary {
        case secondOpinion = "second-opinion"
        case appeal
    }

    package var kind: Kind?
    /// Why it is rejected.
    package var reasons: [SightingReason] = []
    /// Until when a moderator's question waits for an answer; nil for none.
    package var parkedUntil: Instant?

    package init() {}

    /// The review that a sighting's events come to.
    package init(_ review: SightingReview) {
        kind = review.firstOpinion != nil ? .secondOpinion : review.appealedFrom != nil ? .appeal : nil
        (reasons, parkedUntil) = (review.reasons, review.parkedUntil)
    }
}

extension OwnReview {
    /// The review of a sighting as a table of another statement: one row, or none. It is found by its key, row by row,
    /// whatever the planner expects.
    /// - Parameter sighting: an expression for the sighting's id.
    static func row(of sighting: SQL) -> SQL {
        """
        (select i.reasons, case when i.review <> 'flagged' then i.review end as review, i.parked_until
           from \(identifier: ReadModel.moderation.schema).items i
          where i.subject = 'sighting' and i.id = \(fragment: sighting) offset 0)
        """
    }

    /// Reads the columns of ``row(of:)``; empty where they are NULL.
    init(_ row: PostgresRow) throws(PostgresError) {
        kind = try row.word("review")
        reasons = try row.list("reasons")
        parkedUntil = try row.instant("parked_until")
    }
}
