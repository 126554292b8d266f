/// The review of a sighting, from its events.
@dynamicMemberLookup
package struct SightingReview: Equatable, Sendable {
    /// The members of a review that a decision changes, and that its undoing restores.
    package struct Standing: Equatable, Sendable {
        /// Why it is rejected.
        package var reasons: [SightingReason] = []
        /// The newest decider of a rejection.
        package var rejectedBy: AccountID?
        /// The decider of the approval, if it is approved.
        package var approvedBy: AccountID?
        /// Whether this rejection, or the one that it confirms, has been appealed against.
        package var hasAppealed = false
        /// The moderator who rejected it, while an appeal is open.
        package var appealedFrom: AccountID?
        /// The first opinion, while a second one is asked for.
        package var firstOpinion: Opinion?
        /// Until when an unanswered question keeps it out of the queue; nil for none.
        package var parkedUntil: Instant?
        /// Whether anyone has flagged it since the newest decision.
        package var hasOpenFlags = false
    }

    /// A moderator's opinion that is not a decision yet.
    package struct Opinion: Equatable, Sendable {
        package var moderator: AccountID
        package var reasons: [SightingReason]
    }

    /// A decision or a question, and the state before it.
    package struct Reviewed: Equatable, Sendable {
        package var review: ReviewStamp
        package var versionBefore: Int
        package var statusBefore: SightingStatus
        package var before: Standing
    }

    package private(set) var standing = Standing()
    /// The accounts that have flagged it, and why.
    package private(set) var flags: [AccountID: FlagReason] = [:]
    /// Texts that are hidden.
    package private(set) var hidden: [ContentField] = []
    /// Whether a moderator has identified it: the newest such identification is the accepted one.
    package private(set) var isIdentifiedByModerator = false
    /// The order of its photos, as far as its owner gave one.
    package private(set) var photos: [PhotoID] = []
    /// The newest decision or question, as long as nothing else has changed the review since.
    package private(set) var last: Reviewed?
    /// The number of the sighting's events.
    private(set) var version = 0

    package subscript<Value>(dynamicMember member: KeyPath<Standing, Value>) -> Value { standing[keyPath: member] }

    /// Whether a decision is awaited, also about a sighting that has one.
    var isOpen: Bool { standing.hasOpenFlags || standing.firstOpinion != nil || standing.appealedFrom != nil }

    /// Whether a moderator has to leave the next decision to another one: who gave the first of two opinions, and who
    /// rejected what is appealed against.
    func isLeftToOthers(by moderator: AccountID) -> Bool {
        standing.firstOpinion?.moderator == moderator || standing.appealedFrom == moderator
    }

    /// Applies an event.
    mutating func apply(_ event: SightingEvent, before: SightingStatus?) {
        version += 1
        switch event {
        case .approved(let payload):
            judge(payload.review, Standing(approvedBy: payload.review.moderator), before)
        case .rejected(let payload):
            // A rejection that confirms another one on appeal is final.
            let rejection = Standing(
                reasons: payload.reasons, rejectedBy: payload.review.moderator, hasAppealed: standing.hasAppealed)
            judge(payload.review, rejection, before)
        case .reopened(let payload): judge(payload.review, Standing(), before)
        case .secondOpinionAsked(let payload):
            standing.firstOpinion = Opinion(moderator: payload.review.moderator, reasons: payload.reasons)
            (standing.parkedUntil, last) = (nil, nil)
        case .questionAsked(let payload):
            var parked = standing
            parked.parkedUntil = payload.parkedUntil
            judge(payload.review, parked, before)
        case .answered: (standing.parkedUntil, last) = (nil, nil)
        case .appealed:
            (standing.appealedFrom, standing.hasAppealed, last) = (standing.rejectedBy, true, nil)
        case .identified(let payload):
            isIdentifiedByModerator = isIdentifiedByModerator || payload.isModerator
            last = nil
        case .hidden(let payload): hidden = payload.fields
        case .unhidden: hidden = []
        case .flagged(let payload): (flags[payload.flag.by], standing.hasOpenFlags) = (payload.flag.reason, true)
        case .photosOrdered(let payload): photos = payload.photos
        case .imported, .corrected: last = nil
        case .submitted, .geoprivacyNarrowed, .geoprivacyWidened, .withdrawn, .released, .payloadRedacted,
            .redacted:
            break
        }
    }

    /// Restores the review before an import that is undone; flags that were raised since stay open.
    mutating func restore(_ former: SightingReview) {
        let hasOpenFlags = former.standing.hasOpenFlags || standing.hasOpenFlags
        (standing, last) = (former.standing, former.last)
        standing.hasOpenFlags = hasOpenFlags
    }

    /// Applies a decision or a question, or restores what was before one.
    private mutating func judge(_ review: ReviewStamp?, _ new: Standing, _ status: SightingStatus?) {
        if let last, last.versionBefore == review?.restores {
            // Flags that the undone decision had dealt with are open again, and newer ones still are.
            let hasOpenFlags = last.before.hasOpenFlags || standing.hasOpenFlags
            (standing, self.last) = (last.before, nil)
            standing.hasOpenFlags = hasOpenFlags
        } else {
            last = review.map {
                Reviewed(
                    review: $0, versionBefore: version - 1, statusBefore: status ?? .pending, before: standing)
            }
            standing = new
        }
    }
}
