/// Decides about sightings.
package enum SightingDecider: Decider {
    /// What a command leads to.
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
        }
    }

    private static func submit(
        _ command: SubmitSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        guard state.status == nil else { throw .alreadySubmitted }
        try check(command.observed, receivedAt: command.receivedAt)
        var content: [ContentWrite] = []
        if let notes = command.notes, !notes.text.isEmpty {
            content.append(ContentWrite(event: 0, field: .notes, value: notes.text))
        }
        if let name = command.verbatimName {
            content.append(ContentWrite(event: 0, field: .verbatimName, value: name.text))
        }
        return Decision(
            events: [.submitted(SightingSubmitted(command, content: content.map(\.field)))], content: content)
    }

    private static func correct(
        _ command: CorrectSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        let record = try ownRecord(of: command.observer, state)
        if let observed = command.observed, observed != record.observed {
            try check(observed, receivedAt: command.receivedAt)
        }
        let content = command.contentWrites
        let corrected = SightingCorrected(command, record, content: content.map(\.field))
        var events: [SightingEvent] = corrected.isEmpty ? [] : [.corrected(corrected)]
        let old = record.geoprivacy ?? .open
        if let new = command.geoprivacy, new != old {
            events.append(
                new > old
                    ? .geoprivacyNarrowed(SightingGeoprivacyNarrowed(geoprivacy: new))
                    : .geoprivacyWidened(SightingGeoprivacyWidened(geoprivacy: new)))
        }
        return Decision(events: events, content: content)
    }

    private static func withdraw(
        _ command: WithdrawSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        // Whoever took it back as a mistake may still want it hidden.
        let wasMistake = command.reason == .privacy && state.withdrawal == .mistake
        _ = try ownRecord(of: command.observer, state, evenRedacted: true, evenWithdrawn: wasMistake)
        let reason: WithdrawalReason =
            switch command.reason {
            case .mistake: .mistake
            case .privacy: .privacy
            }
        return Decision(events: [.withdrawn(SightingWithdrawn(reason: reason))])
    }

    /// The sighting, if it is this observer's and still stands.
    private static func ownRecord(
        of observer: AccountID, _ state: SightingState, evenRedacted: Bool = false, evenWithdrawn: Bool = false
    ) throws(SightingRejection) -> SightingRecord {
        guard let record = state.record, record.observer == observer else {
            throw state.record == nil && state.isRedacted ? .redacted : .notFound
        }
        if state.status == .withdrawn, !evenWithdrawn { throw .withdrawn(state.withdrawal ?? .mistake) }
        guard evenRedacted || !state.isRedacted else { throw .redacted }
        return record
    }

    static func check(_ observed: ObservedInterval, receivedAt: Instant) throws(SightingRejection) {
        var faults = Faults()
        faults.check("/observedAt") { try observed.checkPlausible(receivedAt: receivedAt) }
        guard faults.isEmpty else { throw .invalid(faults) }
    }
}

extension CorrectSighting {
    /// The texts that differ from those kept now; an empty note is none.
    fileprivate var contentWrites: [ContentWrite] {
        let notes: Change<Note> = notes.value?.text.isEmpty == true ? .cleared : notes
        let changes: [(ContentField, Change<String>)] = [
            (.notes, notes.real(against: kept.notes).map(\.text)),
            (.verbatimName, verbatimName.real(against: kept.verbatimName).map(\.text)),
        ]
        return changes.compactMap { field, change in
            change.isUnset ? nil : ContentWrite(event: 0, field: field, value: change.value)
        }
    }
}

extension SightingCorrected {
    /// What a correction really changes.
    fileprivate init(_ command: CorrectSighting, _ record: SightingRecord, content: [ContentField]) {
        identify(as: command.identification, record)
        count = command.count.real(against: record.count)
        confidence = command.confidence.real(against: record.confidence)
        observed = command.observed.real(against: record.observed)
        coordinate = (command.location?.coordinate).real(against: record.coordinate)
        place = (command.location?.place).real(against: record.place)
        uncertainty = command.uncertainty.real(against: record.uncertainty)
        captive = command.captive.real(against: record.captive)
        licence = Change(initial: command.licence).real(against: record.licence)
        visit = command.visit.real(against: record.visit)
        surveyProtocol = command.surveyProtocol.real(against: record.surveyProtocol)
        self.content = content
    }

    /// What another identification changes.
    mutating func identify(as change: Change<Identification>, _ record: SightingRecord) {
        guard !change.isUnset else { return }
        let new = change.value
        taxon = Change(from: record.taxon, to: new?.taxon)
        qualifier = Change(from: record.qualifier, to: new?.qualifier)
        // A lower category since is no change of the identification. A higher one is: another name may name a more
        // sensitive member of the same taxon.
        let isRaised = SensitivityCategory.isRaised(from: record.sensitivity, to: new?.sensitivity)
        guard !taxon.isUnset || !qualifier.isUnset || isRaised else { return }
        sensitivity = Change(from: record.sensitivity, to: new?.sensitivity)
    }
}
