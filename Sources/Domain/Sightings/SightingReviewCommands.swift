/// A moderator decides on a sighting.
package struct JudgeSighting: Equatable, Sendable {
    package var moderator: AccountID
    package var decision: ReviewDecision
    /// Each once.
    package var reasons: [SightingReason]
    package var note: Remarks?
    package var batch: DecisionBatchID?
    /// Whether the record is at the margin of its taxon's range, where a rejection takes two moderators.
    package var isAtMargin: Bool
    package var judgedAt: Instant

    package init(
        moderator: AccountID, decision: ReviewDecision, reasons: [SightingReason] = [], note: Remarks? = nil,
        batch: DecisionBatchID? = nil, isAtMargin: Bool = false, judgedAt: Instant
    ) {
        self.moderator = moderator
        self.decision = decision
        self.reasons = ReviewRules.once(reasons)
        self.note = note
        self.batch = batch
        self.isAtMargin = isAtMargin
        self.judgedAt = judgedAt
    }

    /// The time that an observer has to answer a question: 14 days, in seconds.
    package static let parking = 14 * 24 * 3600
}

/// The observer or a moderator identifies a sighting.
package struct IdentifySighting: Equatable, Sendable {
    package var by: AccountID
    package var isModerator: Bool
    package var identification: Identification
    package var remarks: Remarks?

    package init(by account: AccountID, isModerator: Bool, identification: Identification, remarks: Remarks? = nil) {
        by = account
        self.isModerator = isModerator
        self.identification = identification
        self.remarks = remarks
    }
}

/// The owner's answer to a question, or appeal.
package struct SightingWords: Equatable, Sendable {
    package var observer: AccountID
    package var text: Remarks

    package init(observer: AccountID, text: Remarks) {
        self.observer = observer
        self.text = text
    }
}

/// A moderator hides texts of a sighting, or shows them again.
package struct HideSighting: Equatable, Sendable {
    package var moderator: AccountID
    package var reason: HidingReason
    /// `notes` and `verbatimName`; empty shows both again.
    package var fields: [ContentField]
    package var note: Remarks?

    package init(moderator: AccountID, reason: HidingReason, fields: [ContentField], note: Remarks? = nil) {
        self.moderator = moderator
        self.reason = reason
        self.fields = fields
        self.note = note
    }
}

/// A moderator sets `captive`, a fact that is not the observer's alone to judge.
package struct AmendSighting: Equatable, Sendable {
    package var moderator: AccountID
    package var changes: SightingChanges

    package init(moderator: AccountID, changes: SightingChanges) {
        self.moderator = moderator
        self.changes = changes
    }
}

/// A moderator lowers the category that a sighting inherits.
package struct ReleaseSighting: Equatable, Sendable {
    package var moderator: AccountID
    /// nil for none.
    package var category: SensitivityCategory?
    /// The present category of the taxon that the sighting is identified as; nil for none.
    package var taxonCategory: SensitivityCategory?
    /// The most sensitive present category of all taxa that it was identified as; nil for none.
    package var inherited: SensitivityCategory?
    package var note: Remarks

    package init(
        moderator: AccountID, category: SensitivityCategory?, taxonCategory: SensitivityCategory? = nil,
        inherited: SensitivityCategory? = nil, note: Remarks
    ) {
        self.moderator = moderator
        self.category = category
        self.taxonCategory = taxonCategory
        self.inherited = inherited
        self.note = note
    }
}

/// The owner puts a sighting's photos in order.
package struct OrderPhotos: Equatable, Sendable {
    package var observer: AccountID
    package var photos: [PhotoID]
    /// The photos that the sighting has.
    package var present: Set<PhotoID>

    package init(observer: AccountID, photos: [PhotoID], present: Set<PhotoID>) {
        self.observer = observer
        self.photos = photos
        self.present = present
    }
}
