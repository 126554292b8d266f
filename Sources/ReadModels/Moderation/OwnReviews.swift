package import Domain
import EventLog
import FoundationEssentials
package import Postgres

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

extension ModerationQueries {
    /// The reviews of some sightings. Those that the read model does not have yet are left out.
    /// - Throws: `PostgresError`.
    package func reviews(of sightings: [SightingID]) async throws(PostgresError) -> [SightingID: OwnReview] {
        guard !sightings.isEmpty else { return [:] }
        let result = try await database.query(
            """
            select s.id, s.reasons, case when s.review <> 'flagged' then s.review end as review, s.parked_until
              from unnest(\(sightings.map(\.uuid))) q (id)
             cross join lateral (
                select s.* from \(fragment: items) where s.subject = 'sighting' and s.id = q.id offset 0) s
            """)
        var reviews: [SightingID: OwnReview] = [:]
        for row in result.rows {
            var review = OwnReview()
            review.kind = try row.word("review")
            (review.reasons, review.parkedUntil) = (try row.list("reasons"), try row.instant("parked_until"))
            reviews[try row.id("id")] = review
        }
        return reviews
    }
}
