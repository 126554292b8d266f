extension SightingDecider {
    /// The same row changes nothing, another one corrects, and one that had left brings the record back.
    static func importRecord(
        _ command: ImportSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        if state.status != nil {
            guard !state.isRedacted, let record = state.record else { throw .redacted }
            guard record.dataset == command.dataset else { throw .otherDataset }
            if state.status != .withdrawn { return try correctImport(command, record) }
            if state.withdrawal == .privacy { throw .withdrawn(.privacy) }
        }
        try check(command.observed, receivedAt: command.receivedAt)
        return Decision(
            events: [.imported(SightingImported(command, before: state.record))],
            content: [ContentWrite(event: 0, field: .record, value: command.record)])
    }

    private static func correctImport(
        _ command: ImportSighting, _ record: SightingRecord
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        guard command.occurrence != record.occurrence else { return .nothing }
        try check(command.observed, receivedAt: command.receivedAt)
        return Decision(
            events: [.corrected(SightingCorrected(command, record))],
            content: [ContentWrite(event: 0, field: .record, value: command.record)])
    }

    /// A record leaves once; asking again changes nothing.
    static func withdrawImport(
        _ command: WithdrawImport, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        guard let status = state.status else { throw .notFound }
        guard status != .withdrawn else { return .nothing }
        if let record = state.record, record.dataset != command.dataset { throw .otherDataset }
        let reason: WithdrawalReason =
            switch command.reason {
            case .vanished: .vanished
            case .undone: .undone
            }
        return Decision(events: [.withdrawn(SightingWithdrawn(reason: reason, batch: command.batch))])
    }
}

extension SightingCorrected {
    /// What another version of a row changes.
    fileprivate init(_ command: ImportSighting, _ record: SightingRecord) {
        identify(as: command.identification.map(Change.set) ?? .cleared, record)
        count = Change(from: record.count, to: command.count)
        observed = Optional(command.observed).real(against: record.observed)
        coordinate = Optional(command.location.coordinate).real(against: record.coordinate)
        place = Optional(command.location.place).real(against: record.place)
        uncertainty = Change(from: record.uncertainty, to: command.uncertainty)
        captive = Optional(command.captive).real(against: record.captive)
        licence = Change(from: record.licence, to: command.licence)
        occurrence = command.occurrence
        batch = command.batch
        content = [.record]
    }
}
