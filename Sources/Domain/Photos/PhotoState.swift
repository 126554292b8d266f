/// The state of a photo, from its events.
package struct PhotoState: Aggregate {
    /// The upload; nil while there is no photo, or when its first payload was redacted.
    package private(set) var upload: PhotoUploaded?
    /// nil while there is no photo.
    package private(set) var status: PhotoStatus?
    package private(set) var licence: Licence?
    package private(set) var renditions: [PhotoRendition] = []
    package private(set) var likeness: [LikenessHash] = []
    /// Why it is rejected.
    package private(set) var reasons: [PhotoReason] = []
    /// Why it is hidden; nil if it is not.
    package private(set) var hiding: HidingReason?
    /// The newest decision; nil once anything else has changed the photo's review.
    package private(set) var last: Reviewed?
    /// The accounts that have flagged it.
    package private(set) var flaggedBy: Set<AccountID> = []
    /// Whether anyone has flagged it since the newest decision.
    package private(set) var hasOpenFlags = false
    /// The number of its events.
    package private(set) var version = 0
    /// Whether the payload of its upload was redacted.
    package private(set) var isRedacted = false

    package init() {}

    /// A decision, and the state before it.
    package struct Reviewed: Equatable, Sendable {
        package var review: ReviewStamp
        package var versionBefore: Int
        package var before: PhotoStatus
        package var reasonsBefore: [PhotoReason]
        package var hidingBefore: HidingReason?
        package var hadOpenFlags: Bool
    }

    /// Whether rendering it once more changed nothing: a photo that shows too little keeps the hashes it had.
    package func isRendered(as renditions: [PhotoRendition], _ likeness: [LikenessHash]) -> Bool {
        renditions == self.renditions && (likeness.isEmpty || likeness == self.likeness)
    }

    package mutating func evolve(_ event: PhotoEvent) {
        version += 1
        switch event {
        case .uploaded(let payload):
            upload = payload
            (status, licence) = (.pending, payload.licence)
            (renditions, likeness) = (payload.image.renditions, payload.image.likeness)
        case .described(let payload):
            licence = payload.licence ?? licence
        case .approved(let payload):
            judged(.approved, [], payload.review)
        case .rejected(let payload):
            judged(.rejected, payload.reasons, payload.review)
        case .reopened(let payload):
            judged(.pending, [], payload.review)
        case .hidden(let payload):
            // Hiding that comes with a rejection is part of that decision.
            if last?.review.batch != payload.review.batch || status != .rejected { last = nil }
            hiding = payload.hiding
        case .unhidden:
            (hiding, last) = (nil, nil)
        case .flagged(let payload):
            flaggedBy.insert(payload.flag.by)
            hasOpenFlags = true
        case .rendered(let payload):
            renditions = payload.renditions
            if !payload.likeness.isEmpty { likeness = payload.likeness }
        case .deleted:
            status = .deleted
        case .redacted(let event):
            evolve(redacted: event.type)
        case .payloadRedacted:
            break
        }
    }

    /// Applies a redacted event, of which only the type is known.
    private mutating func evolve(redacted type: String) {
        guard let event = try? PhotoEvent.description(of: type) else { return }
        if event.isEssential { isRedacted = true }
        if let word = event.status {
            (status, reasons, last, hasOpenFlags) = (PhotoStatus(rawValue: word), [], nil, false)
        }
        switch type {
        case PhotoHidden.type: (hiding, last) = (.other, nil)
        case PhotoUnhidden.type: (hiding, last) = (nil, nil)
        default: break
        }
    }

    private mutating func judged(_ new: PhotoStatus, _ reasons: [PhotoReason], _ review: ReviewStamp) {
        let undone = last.flatMap { $0.versionBefore == review.restores ? $0 : nil }
        last = Reviewed(
            review: review, versionBefore: version - 1, before: status ?? .pending, reasonsBefore: self.reasons,
            hidingBefore: hiding, hadOpenFlags: hasOpenFlags)
        status = new
        self.reasons = reasons
        // Those that the undone decision had dealt with are open again, and newer ones still are.
        hasOpenFlags = undone.map { $0.hadOpenFlags || hasOpenFlags } ?? false
    }
}
