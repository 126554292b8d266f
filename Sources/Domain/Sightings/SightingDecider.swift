/// Decides sighting commands.
package enum SightingDecider: Decider {
    /// How often the geoprivacy of a sighting can be widened: each time it is narrowed again, everything that was
    /// public before gets another id.
    package static let mostWidenings = 20

    /// - Throws: ``SightingRejection``.
    package static func decide(
        _ command: SightingCommand, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        switch command {
        case .submit(let submission): return try submit(submission, state)
        case .correct(let correction): return try correct(correction, state)
        case .withdraw(let withdrawal): return try withdraw(withdrawal, state)
        case .importRecord(let row): return try importRecord(row, state)
        case .withdrawImport(let withdrawal): return try withdrawImport(withdrawal, state)
        case .undoImport(let undo): return try undoImport(undo, state)
        case .judge(let judgement): return try judge(judgement, state)
        case .restore(let restoration): return try restore(restoration, state)
        case .identify(let opinion): return try identify(opinion, state)
        case .answer(let words): return try answer(words, state)
        case .appeal(let words): return try appeal(words, state)
        case .hide(let hiding): return try hide(hiding, state)
        case .amend(let amendment): return try amend(amendment, state)
        case .release(let release): return try self.release(release, state)
        case .flag(let flag): return try self.flag(flag, state)
        case .orderPhotos(let order): return try orderPhotos(order, state)
        }
    }

    private static func submit(
        _ command: SubmitSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        guard state.status == nil else { throw .alreadySubmitted }
        try check(command.details.observed, command.details.visit, receivedAt: command.receivedAt)
        let content = SightingContent().writes(for: command.content)
        let event = SightingSubmitted(command, content: content.map(\.field))
        if let missing = event.changes.missingInSubmission {
            throw .invalid(Faults([Fault("/\(missing)", .required)]))
        }
        return Decision(events: [.submitted(event)], content: content)
    }

    private static func correct(
        _ command: CorrectSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        let record = try ownRecord(of: command.observer, state)
        let content = command.kept.writes(for: command.content)
        var corrected = SightingCorrected(
            record, accepted(command.identification.applied(to: record.identification), state),
            SightingDetails(command.changes, over: record.details) ?? record.details)
        corrected.content = content.map(\.field)
        try check(corrected.changes.observed, corrected.changes.visit.value, receivedAt: command.receivedAt)
        let geoprivacy = corrected.changes.geoprivacy
        corrected.changes.geoprivacy = nil
        var events: [SightingEvent] = corrected.isEmpty ? [] : [.corrected(corrected)]
        if corrected.changesJudgedValues { events += reopening(state) }
        if let geoprivacy { events.append(try change(of: record, to: geoprivacy, state)) }
        return Decision(events: events, content: content)
    }

    private static func change(
        of record: SightingRecord, to geoprivacy: Geoprivacy, _ state: SightingState
    ) throws(SightingRejection) -> SightingEvent {
        if geoprivacy > record.details.geoprivacy ?? .open {
            return .geoprivacyNarrowed(SightingGeoprivacyNarrowed(geoprivacy: geoprivacy))
        }
        guard state.widenings < mostWidenings else {
            throw .invalid(Faults([Fault("/geoprivacy", .widenedTooOften(mostWidenings))]))
        }
        return .geoprivacyWidened(SightingGeoprivacyWidened(geoprivacy: geoprivacy))
    }

    private static func withdraw(
        _ command: WithdrawSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        // A sighting withdrawn as a mistake can still be withdrawn for privacy.
        let wasMistake = command.reason == .privacy && state.withdrawal == .mistake
        _ = try ownRecord(of: command.observer, state, evenRedacted: true, evenWithdrawn: wasMistake)
        let reason: WithdrawalReason =
            switch command.reason {
            case .mistake: .mistake
            case .privacy: .privacy
            }
        return Decision(events: [.withdrawn(SightingWithdrawn(reason: reason))])
    }

    /// The sighting, if it is this observer's and not withdrawn.
    static func ownRecord(
        of observer: AccountID, _ state: SightingState, evenRedacted: Bool = false, evenWithdrawn: Bool = false
    ) throws(SightingRejection) -> SightingRecord {
        guard let record = state.record, record.observer == observer else {
            throw state.record == nil && state.isRedacted ? .redacted : .notFound
        }
        if state.status == .withdrawn, !evenWithdrawn { throw .withdrawn(state.withdrawal ?? .mistake) }
        guard evenRedacted || !state.isRedacted else { throw .redacted }
        return record
    }

    private static func check(
        _ observed: ObservedInterval?, _ visit: Visit? = nil, receivedAt: Instant
    ) throws(SightingRejection) {
        var faults = Faults()
        faults.check("/observedAt") { try observed?.checkPlausible(receivedAt: receivedAt) }
        faults.check("/visit") { try visit?.checkPlausible(receivedAt: receivedAt) }
        guard faults.isEmpty else { throw .invalid(faults) }
    }
}

extension RuleViolation {
    static func widenedTooOften(_ most: Int) -> RuleViolation {
        RuleViolation(.range, "must not be widened more than \(most) times; it can still be narrowed")
    }
}

// MARK: - Imports

extension SightingDecider {
    /// An equal row changes nothing, a different one corrects the record, and any row restores a withdrawn one, which
    /// is reviewed as if its row had never been gone.
    private static func importRecord(
        _ command: ImportSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        if state.status != nil {
            guard !state.isRedacted, let record = state.record else { throw .redacted }
            guard record.dataset == command.dataset else { throw .otherDataset }
            if state.status != .withdrawn { return try correctImport(command, record, state) }
            if state.withdrawal == .privacy { throw .withdrawn(.privacy) }
        }
        try check(command.details.observed, receivedAt: command.receivedAt)
        var row = command
        row.identification = accepted(command.identification, state)
        return Decision(
            events: [.imported(SightingImported(row, before: state.record))] + reviewAgain(command, state),
            content: [ContentWrite(event: 0, field: .record, value: command.record)])
    }

    /// The event that follows the row of a withdrawn record: what was rejected stays rejected unless the row has
    /// changed, and what waited for a decision waits again.
    private static func reviewAgain(_ command: ImportSighting, _ state: SightingState) -> [SightingEvent] {
        let isEqual = command.occurrence == state.record?.occurrence
        switch state.withdrawnFrom {
        case .rejected where isEqual:
            guard let moderator = state.review.rejectedBy else { return [] }
            let review = ReviewStamp(moderator: moderator)
            return [.rejected(SightingRejected(review: review, reasons: state.review.reasons))]
        case .approved where isEqual: return []
        case .rejected, .approved, .pending: return [.reopened(SightingReopened(review: nil))]
        case .acceptedBySource, .withdrawn, nil: return []
        }
    }

    private static func correctImport(
        _ command: ImportSighting, _ record: SightingRecord, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        let recorder = command.recorder == record.recorder ? nil : command.recorder
        let rowVisit = command.rowVisit.real(against: record.rowVisit)
        guard command.occurrence != record.occurrence else { return noting(recorder, rowVisit) }
        try check(command.details.observed, receivedAt: command.receivedAt)
        var corrected = SightingCorrected(record, accepted(command.identification, state), command.details)
        (corrected.occurrence, corrected.batch, corrected.content) = (command.occurrence, command.batch, [.record])
        (corrected.recorder, corrected.rowVisit) = (Change(initial: recorder), rowVisit)
        return Decision(
            events: [.corrected(corrected)] + reopening(state),
            content: [ContentWrite(event: 0, field: .record, value: command.record)])
    }

    /// Adds the recorder to a record that was imported before rows had one, and the visit to one that was imported
    /// without it. The import does not become its last one.
    private static func noting(_ recorder: RecorderID?, _ rowVisit: Change<RowVisit>) -> Decision<SightingEvent> {
        var corrected = SightingCorrected()
        (corrected.recorder, corrected.rowVisit) = (Change(initial: recorder), rowVisit)
        return corrected.isEmpty ? .nothing : Decision(events: [.corrected(corrected)])
    }

    /// Withdraws a record whose row has vanished; repeating it changes nothing.
    private static func withdrawImport(
        _ command: WithdrawImport, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        guard let status = state.status else { throw .notFound }
        guard status != .withdrawn else { return .nothing }
        if let record = state.record, record.dataset != command.dataset { throw .otherDataset }
        return Decision(events: [.withdrawn(SightingWithdrawn(reason: .vanished, batch: command.batch))])
    }
}

// MARK: - Differences

extension SightingContent {
    /// The writes that turn this content into the new one; an empty note counts as none.
    fileprivate func writes(for new: SightingContent) -> [ContentWrite] {
        let notes = new.notes?.text.isEmpty == true ? nil : new.notes
        let changes: [(ContentField, Change<String>)] = [
            (.notes, Change(from: self.notes?.text, to: notes?.text)),
            (.verbatimName, Change(from: verbatimName?.text, to: new.verbatimName?.text)),
        ]
        return changes.compactMap { field, change in
            change.isUnset ? nil : ContentWrite(event: 0, field: field, value: change.value)
        }
    }
}

extension SightingCorrected {
    /// Whether it changes what moderators judge: taxon, place, date or count.
    fileprivate var changesJudgedValues: Bool {
        !identification.taxon.isUnset || !identification.qualifier.isUnset || changes.coordinate != nil
            || changes.observed != nil || !changes.count.isUnset
    }

    /// The real differences of another identification and other details.
    init(_ record: SightingRecord, _ identification: Identification?, _ details: SightingDetails) {
        self.identification = IdentificationChanges(from: record.identification, to: identification)
        changes = SightingChanges(from: record.details, to: details)
    }
}
