/// The commands of a photo.
package enum PhotoCommand: Equatable, Sendable {
    case upload(UploadPhoto)
    case describe(DescribePhoto)
    /// The owner deletes it.
    case delete(by: AccountID)
    case judge(JudgePhoto)
    /// Restores the state before a decision of a batch.
    case restore(RestoreDecision)
    case hide(HidePhoto)
    case unhide(UnhidePhoto)
    case flag(RaiseFlag)
    /// Its renditions and the hashes of its likeness were made again.
    case render([PhotoRendition], likeness: [LikenessHash])
}

/// Why a photo command is rejected.
package enum PhotoRejection: Error, Equatable, Sendable {
    /// There is no such photo, or it is another observer's; callers cannot distinguish the two.
    case notFound
    /// The stream already holds a photo.
    case alreadyUploaded
    /// It was deleted or redacted.
    case gone
    /// Moderators do not judge their own photos.
    case ownPhoto
    /// Later events have changed what the batch decided.
    case changedSince
    /// Values break the rules.
    case invalid(Faults)
}

/// An observer adds a photo to a sighting.
package struct UploadPhoto: Equatable, Sendable {
    package var sighting: SightingID
    package var observer: AccountID
    /// The number of photos that the sighting had before, deleted ones included.
    package var ordinal: Int
    package var image: PhotoImage
    package var licence: Licence
    package var altText: AltText?
    /// The capture's time and place as JSON, to be kept beside the log; nil if neither is known.
    package var capture: String?
    /// Photos that look nearly the same.
    package var resembles: [PhotoID]

    package init(
        sighting: SightingID, observer: AccountID, ordinal: Int, image: PhotoImage, licence: Licence,
        altText: AltText? = nil, capture: String? = nil, resembles: [PhotoID] = []
    ) {
        self.sighting = sighting
        self.observer = observer
        self.ordinal = ordinal
        self.image = image
        self.licence = licence
        self.altText = altText
        self.capture = capture
        self.resembles = resembles
    }

    /// The ordinal, reserved so that one of two concurrent uploads is decided again.
    package var reservation: Reservation { .photo(ordinal, of: sighting) }
}

extension Reservation {
    /// The reservation of an ordinal among all photos that a sighting ever had.
    package static func photo(_ ordinal: Int, of sighting: SightingID) -> Reservation {
        Reservation(kind: .photo, text: "\(sighting)/\(ordinal)")
    }
}

/// The owner changes the alternative text or the licence. A value equal to the old one is no change.
package struct DescribePhoto: Equatable, Sendable {
    package var observer: AccountID
    package var licence: Licence?
    /// The text that is stored now.
    package var kept: AltText?
    /// The text to store.
    package var altText: AltText?

    package init(observer: AccountID, licence: Licence?, kept: AltText?, altText: AltText?) {
        self.observer = observer
        self.licence = licence
        self.kept = kept
        self.altText = altText
    }
}

/// A moderator decides on a photo.
package struct JudgePhoto: Equatable, Sendable {
    package var moderator: AccountID
    package var decision: ReviewDecision
    /// Each once.
    package var reasons: [PhotoReason]
    package var note: Remarks?
    package var batch: DecisionBatchID?

    package init(
        moderator: AccountID, decision: ReviewDecision, reasons: [PhotoReason] = [], note: Remarks? = nil,
        batch: DecisionBatchID? = nil
    ) {
        self.moderator = moderator
        self.decision = decision
        self.reasons = ReviewRules.once(reasons)
        self.note = note
        self.batch = batch
    }
}

/// A moderator hides a photo.
package struct HidePhoto: Equatable, Sendable {
    package var moderator: AccountID
    package var reason: HidingReason
    package var note: Remarks?

    package init(moderator: AccountID, reason: HidingReason, note: Remarks? = nil) {
        self.moderator = moderator
        self.reason = reason
        self.note = note
    }
}

/// A moderator shows a hidden photo again.
package struct UnhidePhoto: Equatable, Sendable {
    package var moderator: AccountID
    package var note: Remarks?

    package init(moderator: AccountID, note: Remarks? = nil) {
        self.moderator = moderator
        self.note = note
    }
}
