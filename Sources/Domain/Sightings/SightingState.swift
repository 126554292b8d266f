/// The current state of a sighting: its payloads merged in order.
package struct SightingRecord: Equatable, Sendable {
    /// nil for imports.
    package internal(set) var observer: AccountID?
    /// nil for submissions.
    package internal(set) var dataset: DatasetID?
    /// The last import that wrote it.
    package internal(set) var batch: BatchID?
    package internal(set) var identification: Identification
    package internal(set) var details: SightingDetails
    /// The targets that prompted the sighting.
    package internal(set) var promptedBy: TargetsID?
    /// The SHA-256 of photos that its observer announced; empty for imports.
    package internal(set) var awaitedPhotos: [Fingerprint] = []
    /// The fingerprint of the row's content; nil for submissions.
    package internal(set) var occurrence: Fingerprint?
    /// The observers of the row; nil for submissions, and where it has none.
    package internal(set) var recorder: RecorderID?
    /// The visit of the row; nil for submissions, and where no import has named one.
    package internal(set) var rowVisit: RowVisit?

    /// nil for an event that lacks the time or the place; reading an event guarantees both.
    init?(_ event: SightingSubmitted) {
        guard let details = SightingDetails(event.changes) else { return nil }
        observer = event.observer
        identification = Identification(event.identification)
        self.details = details
        promptedBy = event.promptedBy
        awaitedPhotos = event.awaitedPhotos
    }

    /// A record from its row.
    /// - Parameter record: its state before it was withdrawn, if it was.
    init?(_ event: SightingImported, over record: SightingRecord?) {
        guard let details = SightingDetails(event.changes, over: record?.details) else { return nil }
        dataset = event.dataset
        batch = event.batch
        identification = Identification(event.identification, over: record?.identification)
        self.details = details
        occurrence = event.occurrence
        recorder = event.recorder.applied(to: record?.recorder)
        rowVisit = event.rowVisit.applied(to: record?.rowVisit)
    }

    mutating func apply(_ event: SightingCorrected) {
        identification = Identification(event.identification, over: identification)
        details = SightingDetails(event.changes, over: details) ?? details
        occurrence = event.occurrence ?? occurrence
        batch = event.batch ?? batch
        recorder = event.recorder.applied(to: recorder)
        rowVisit = event.rowVisit.applied(to: rowVisit)
    }

    mutating func apply(_ event: SightingIdentified) {
        identification = Identification(event.identification, over: identification)
    }
}

/// The state of a sighting, from its events.
package struct SightingState: Aggregate {
    /// The sighting; nil while there is none, or when its first payload was redacted.
    package private(set) var record: SightingRecord?
    /// nil while there is no sighting.
    package private(set) var status: SightingStatus?
    /// How often its geoprivacy was widened.
    package private(set) var widenings = 0
    /// Why it is withdrawn; nil if it is not.
    package private(set) var withdrawal: WithdrawalReason?
    /// Its status before it was withdrawn; nil if it never was.
    package private(set) var withdrawnFrom: SightingStatus?
    /// The most sensitive category of all its identifications, which only a release lowers.
    package private(set) var sensitivity: SensitivityCategory?
    /// The taxa that it was identified as since the last release, and the newest one before it.
    package private(set) var taxa: Set<TaxonID> = []
    /// Whether any of its payloads was redacted.
    package private(set) var isRedacted = false
    /// Its review by moderators, with flags and the order of its photos.
    package private(set) var review = SightingReview()
    /// The imports that changed it.
    package private(set) var imports = ImportTrace()

    /// Whether it was withdrawn for privacy: only its owner sees it.
    package var isWithdrawnForPrivacy: Bool { status == .withdrawn && withdrawal == .privacy }

    /// Whether its photos are gone with it: it was withdrawn for privacy, or redacted.
    package var hasLostPhotos: Bool { isRedacted || isWithdrawnForPrivacy }

    /// Whether an account may know of it as its own. If the submission was redacted, its owner is unknown, and every
    /// account may know that it is gone.
    package func isOwn(_ account: AccountID) -> Bool {
        record.map { $0.observer == account } ?? isRedacted
    }

    package init() {}

    package mutating func evolve(_ event: SightingEvent) {
        let before = self
        apply(event)
        imports.apply(event, version: review.version, before: before)
        if let version = event.restoredVersion { restore(version) }
    }

    /// Restores what was before the newest import, if it began at this version. The record that it created stays, as
    /// withdrawn. So does every category and name that the sighting has had: only a release lowers its sensitivity.
    private mutating func restore(_ version: Int) {
        guard let touch = imports.touches.last, touch.versionBefore == version else { return }
        let former = touch.before
        if former.status != nil {
            (record, status) = (former.record, former.status)
            (withdrawal, withdrawnFrom) = (former.withdrawal, former.withdrawnFrom)
            review.restore(former.review)
        }
        imports.close(touch.undoing)
    }

    private mutating func apply(_ event: SightingEvent) {
        review.apply(event, before: status)
        switch event {
        case .submitted(let payload):
            record = SightingRecord(payload)
            status = .pending
            note(payload.identification)
        case .imported(let payload):
            record = SightingRecord(payload, over: record)
            status = .acceptedBySource
            withdrawal = nil
            note(payload.identification)
        case .corrected(let payload):
            record?.apply(payload)
            note(payload.identification)
        case .geoprivacyNarrowed(let payload):
            record?.details.geoprivacy = payload.geoprivacy
        case .geoprivacyWidened(let payload):
            record?.details.geoprivacy = payload.geoprivacy
            widenings += 1
        case .withdrawn(let payload):
            if let batch = payload.batch { record?.batch = batch }
            if status != .withdrawn { withdrawnFrom = status }
            status = .withdrawn
            withdrawal = payload.reason
        case .approved: status = .approved
        case .rejected: status = .rejected
        case .reopened: status = .pending
        case .identified(let payload):
            record?.apply(payload)
            note(payload.identification)
        case .released(let payload):
            sensitivity = payload.released
            taxa = Set([record?.identification.taxon].compactMap(\.self))
        case .redacted(let event):
            evolve(redacted: event.type)
        case .secondOpinionAsked, .questionAsked, .answered, .appealed, .hidden, .unhidden, .flagged, .photosOrdered,
            .payloadRedacted:
            break
        }
    }

    private mutating func note(_ identification: IdentificationChanges) {
        sensitivity = .mostSensitive(sensitivity, identification.sensitivity.value)
        if let taxon = identification.taxon.value { taxa.insert(taxon) }
    }

    /// Applies a redacted event, of which only the type is known.
    private mutating func evolve(redacted type: String) {
        guard let event = try? SightingEvent.description(of: type) else { return }
        if event.isEssential { isRedacted = true }
        guard let word = event.status else { return }
        status = SightingStatus(rawValue: word)
        // The reason of the withdrawal is unknown; privacy shows least.
        withdrawal = status == .withdrawn ? .privacy : nil
    }
}

/// The status of a sighting.
package enum SightingStatus: String, Vocabulary {
    /// Submitted, and not reviewed.
    case pending
    case approved
    case rejected
    case withdrawn
    /// Imported; accepted by its source.
    case acceptedBySource = "accepted-by-source"

    /// Those of records, in the order in which answers name them. The others leave a notice, or nothing.
    package static let ofRecords: [SightingStatus] = [.approved, .acceptedBySource, .pending]
}

/// Why a sighting was withdrawn.
package enum WithdrawalReason: String, Vocabulary {
    /// Its observer says that it was wrong.
    case mistake
    /// Its observer does not want it to be public.
    case privacy
    /// Its row is no longer in the source.
    case vanished
    /// Its import was undone.
    case undone
}
