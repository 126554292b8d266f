/// The review of a sighting, from its events.
package struct SightingReview: Equatable, Sendable {
    /// Why it is rejected.
    package var reasons: [SightingReason] = []
    /// The first opinion, while a second one is asked for.
    package var firstOpinion: Opinion?
    /// The moderator who rejected it, while an appeal is open.
    package var appealedFrom: AccountID?
    /// Whether this rejection has been appealed against.
    package var hasAppealed = false
    /// The newest decider of a rejection.
    package var rejectedBy: AccountID?
    /// Until when an unanswered question keeps it out of the queue; nil for none.
    package var parkedUntil: Instant?
    /// The accounts that have flagged it, and why.
    package var flags: [AccountID: FlagReason] = [:]
    /// Texts that are hidden.
    package var hidden: [ContentField] = []
    /// Whether a moderator has identified it: the newest such identification is the accepted one.
    package var isIdentifiedByModerator = false
    /// The order of its photos, as far as its owner gave one.
    package var photos: [PhotoID] = []
    /// The newest decision, as long as nothing else has changed the review since.
    package var last: Reviewed?

    /// A moderator's opinion that is no decision yet.
    package struct Opinion: Equatable, Sendable {
        package var moderator: AccountID
        package var reasons: [SightingReason]
    }

    /// A decision, and what was before it.
    package struct Reviewed: Equatable, Sendable {
        package var review: ReviewStamp
        package var before: SightingStatus
        package var reasonsBefore: [SightingReason]
        package var rejectedByBefore: AccountID?
    }

    mutating func judged(_ reasons: [SightingReason], _ review: ReviewStamp?, before: SightingStatus?) {
        last = review.map {
            Reviewed(
                review: $0, before: before ?? .pending, reasonsBefore: self.reasons, rejectedByBefore: rejectedBy)
        }
        self.reasons = reasons
        rejectedBy = reasons.isEmpty ? nil : review?.moderator
        (firstOpinion, appealedFrom, parkedUntil) = (nil, nil, nil)
        hasAppealed = false
    }

    /// Applies an event.
    mutating func apply(_ event: SightingEvent, before: SightingStatus?) {
        switch event {
        case .approved(let payload): judged([], payload.review, before: before)
        case .rejected(let payload): judged(payload.reasons, payload.review, before: before)
        case .reopened(let payload): judged([], payload.review, before: before)
        case .secondOpinionAsked(let payload):
            firstOpinion = Opinion(moderator: payload.review.moderator, reasons: payload.reasons)
            (parkedUntil, last) = (nil, nil)
        case .questionAsked(let payload): (parkedUntil, last) = (payload.parkedUntil, nil)
        case .answered: (parkedUntil, last) = (nil, nil)
        case .appealed: (appealedFrom, hasAppealed, last) = (rejectedBy, true, nil)
        case .identified(let payload):
            isIdentifiedByModerator = isIdentifiedByModerator || payload.isModerator
            last = nil
        case .hidden(let payload): hidden = payload.fields
        case .unhidden: hidden = []
        case .flagged(let payload): flags[payload.flag.by] = payload.flag.reason
        case .photosOrdered(let payload): photos = payload.photos
        case .corrected: last = nil
        case .submitted, .imported, .geoprivacyNarrowed, .geoprivacyWidened, .withdrawn, .released, .payloadRedacted,
            .redacted:
            break
        }
    }
}
