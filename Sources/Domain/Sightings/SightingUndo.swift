// Undoing an import, one record at a time.

extension SightingDecider {
    /// Restores the state before an import by new events; an import that did not change the record, or is undone for
    /// it, changes nothing.
    static func undoImport(
        _ command: UndoImportOfRecord, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        guard state.status != nil else { throw .notFound }
        if let record = state.record, record.dataset != command.dataset { throw .otherDataset }
        guard let touch = state.imports.touches.last(where: { $0.batch == command.batch }) else { return .nothing }
        if let obstacle = state.obstacle(to: touch) { throw .keptFromUndo(obstacle) }
        var restoration = Restoration(touch: touch, dataset: command.dataset, record: command.record)
        return restoration.decision(from: state)
    }
}

extension SightingState {
    /// Why an undo has to leave the record as it is; nil: it need not.
    package func obstacle(to touch: ImportTouch) -> UndoObstacle? {
        isRedacted ? .redacted : touch.changedSince
    }
}

/// The import and the row of a record.
struct RestoredOrigin {
    let batch: BatchID
    let occurrence: Fingerprint

    /// nil for a record that no import has written.
    init?(_ record: SightingRecord) {
        guard let batch = record.batch, let occurrence = record.occurrence else { return nil }
        (self.batch, self.occurrence) = (batch, occurrence)
    }
}

/// The events after which a record is as it was before an import.
private struct Restoration {
    let touch: ImportTouch
    let dataset: DatasetID
    let record: Change<String>
    private var events: [SightingEvent] = []

    init(touch: ImportTouch, dataset: DatasetID, record: Change<String>) {
        (self.touch, self.dataset, self.record) = (touch, dataset, record)
    }

    mutating func decision(from state: SightingState) -> Decision<SightingEvent> {
        let former = touch.before
        guard let status = former.status, let values = former.record, let origin = RestoredOrigin(values),
            let present = state.record
        else { return Decision(events: [withdrawal(.undone, touch.batch)].map { $0.restoring(touch.versionBefore) }) }
        let reviewed = status == .withdrawn ? former.withdrawnFrom ?? .acceptedBySource : status
        let content = restore(values, origin, from: present, state.status, to: reviewed)
        if status == .withdrawn { events.append(withdrawal(former.withdrawal ?? .vanished, origin.batch)) }
        if let last = events.popLast() { events.append(last.restoring(touch.versionBefore)) }
        return Decision(events: events, content: content)
    }

    /// Adds the events of the former values and the former status.
    /// - Returns: the row beside the log, of the first event.
    private mutating func restore(
        _ values: SightingRecord, _ origin: RestoredOrigin, from present: SightingRecord, _ status: SightingStatus?,
        to reviewed: SightingStatus
    ) -> [ContentWrite] {
        let isRewritten = !record.isUnset
        let stamp = UndoStamp(batch: touch.batch)
        var status = status
        if status == .withdrawn || reviewed == .acceptedBySource && status != reviewed {
            var imported = SightingImported(values, dataset: dataset, over: present, origin)
            (imported.undo, imported.content) = (stamp, isRewritten ? [.record] : [])
            events.append(.imported(imported))
            status = .acceptedBySource
        } else {
            var corrected = SightingCorrected(present, values.identification, values.details)
            if present.occurrence != origin.occurrence { corrected.occurrence = origin.occurrence }
            corrected.recorder = Change(from: present.recorder, to: values.recorder)
            corrected.rowVisit = Change(from: present.rowVisit, to: values.rowVisit)
            if isRewritten { corrected.content = [.record] }
            // A decision must not come first: it would count as one that was made now.
            if !corrected.isEmpty || status != reviewed || touch.before.status != .withdrawn {
                (corrected.batch, corrected.undo) = (origin.batch, stamp)
                events.append(.corrected(corrected))
            }
        }
        if status != reviewed { events.append(decision(reviewed, touch.before.review)) }
        return isRewritten ? [ContentWrite(event: 0, field: .record, value: record.value)] : []
    }

    private func withdrawal(_ reason: WithdrawalReason, _ batch: BatchID) -> SightingEvent {
        .withdrawn(SightingWithdrawn(reason: reason, batch: batch, undo: UndoStamp(batch: touch.batch)))
    }

    /// The earlier decision again, in the name of who had made it.
    private func decision(_ status: SightingStatus, _ review: SightingReview) -> SightingEvent {
        switch (status, review.rejectedBy, review.approvedBy) {
        case (.rejected, let moderator?, _):
            .rejected(SightingRejected(review: ReviewStamp(moderator: moderator), reasons: review.reasons))
        case (.approved, _, let moderator?):
            .approved(SightingApproved(review: ReviewStamp(moderator: moderator)))
        default: .reopened(SightingReopened(review: nil))
        }
    }
}

extension SightingEvent {
    /// The version of the stream whose state holds again after this event; nil for most events.
    var restoredVersion: Int? {
        switch self {
        case .imported(let payload): payload.undo?.restores
        case .corrected(let payload): payload.undo?.restores
        case .withdrawn(let payload): payload.undo?.restores
        case .approved(let payload): payload.review.restores
        case .rejected(let payload): payload.review.restores
        case .reopened(let payload): payload.restores ?? payload.review?.restores
        case .submitted, .geoprivacyNarrowed, .geoprivacyWidened, .secondOpinionAsked, .questionAsked, .answered,
            .appealed, .identified, .hidden, .unhidden, .released, .flagged, .photosOrdered, .payloadRedacted,
            .redacted:
            nil
        }
    }

    /// The event with the mark that the state at a version holds again.
    fileprivate func restoring(_ version: Int) -> SightingEvent {
        switch self {
        case .imported(var payload):
            payload.undo?.restores = version
            return .imported(payload)
        case .corrected(var payload):
            payload.undo?.restores = version
            return .corrected(payload)
        case .withdrawn(var payload):
            payload.undo?.restores = version
            return .withdrawn(payload)
        case .approved(var payload):
            payload.review.restores = version
            return .approved(payload)
        case .rejected(var payload):
            payload.review.restores = version
            return .rejected(payload)
        case .reopened(var payload):
            payload.restores = version
            return .reopened(payload)
        case .submitted, .geoprivacyNarrowed, .geoprivacyWidened, .secondOpinionAsked, .questionAsked, .answered,
            .appealed, .identified, .hidden, .unhidden, .released, .flagged, .photosOrdered, .payloadRedacted,
            .redacted:
            return self
        }
    }
}
