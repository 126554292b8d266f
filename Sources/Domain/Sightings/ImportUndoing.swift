/// Marks an event that takes an import back.
package struct UndoStamp: PayloadPart, Hashable {
    /// The import that is undone.
    package var batch: BatchID
    /// The version of the stream whose state holds again; 0: there was no record. Nil where a later event of the same
    /// decision says so.
    package var restores: Int?

    static let shape = Shape<Self>(Self.init, .required("undoes", \.batch), .integer("restores", ifPresent: \.restores))

    package init(batch: BatchID, restores: Int? = nil) {
        self.batch = batch
        self.restores = restores
    }
}

/// Why an undo leaves a record as it is.
package enum UndoObstacle: Hashable, Sendable {
    /// A later import has changed it.
    case laterImport(BatchID)
    /// A moderator has decided about it, asked about it, changed it or hidden parts of it.
    case moderated
    /// It was withdrawn by a person.
    case withdrawn
    /// A part of it was redacted.
    case redacted
}

/// The change that one import made to a record, as long as it is not undone.
package struct ImportTouch: Equatable, Sendable {
    package let batch: BatchID
    /// The version of the stream before it.
    package let versionBefore: Int
    /// The state before it.
    let before: SightingState
    /// The newest event of it, or that followed from it.
    fileprivate(set) var lastVersion: Int
    /// Whether that event withdrew the record.
    fileprivate(set) var isWithdrawal: Bool
    /// The first change since that an undo must not take back.
    fileprivate(set) var changedSince: UndoObstacle?

    /// Whether it made the record, or restored one that was withdrawn.
    package var isAcceptance: Bool { before.status == nil || before.status == .withdrawn }

    /// Whether there was a record before it, and its content is known.
    package var hasFormerRecord: Bool { before.record != nil }

    /// The effect of undoing it.
    package var undoing: UndoEffect { isAcceptance ? .withdrawn : isWithdrawal ? .broughtBack : .setBack }
}

/// How the undoing of an import changed a record.
package enum UndoEffect: Hashable, Sendable {
    /// The record was new, or had been withdrawn.
    case withdrawn
    /// The record got its former values and review.
    case setBack
    /// The record had been withdrawn by the import.
    case broughtBack
}

/// An import that was undone for a record.
package struct UndoneImport: Hashable, Sendable {
    package let batch: BatchID
    /// The version of the stream before the import.
    package let versionBefore: Int
    package let effect: UndoEffect
}

/// The imports that changed a record, from its events.
package struct ImportTrace: Equatable, Sendable {
    /// Those that are not undone, the oldest first.
    package private(set) var touches: [ImportTouch] = []
    /// Those that were undone, in the order of their undoing.
    package private(set) var undone: [UndoneImport] = []

    /// The effect of undoing an import, where that has been done last; nil if it has not.
    package func effect(of batch: BatchID) -> UndoEffect? {
        undone.last { $0.batch == batch }?.effect
    }

    /// The version of the stream before the first event of an import; nil if it never changed the record.
    package func firstVersion(before batch: BatchID) -> Int? {
        (touches.filter { $0.batch == batch }.map(\.versionBefore)
            + undone.filter { $0.batch == batch }.map(\.versionBefore)).min()
    }

    /// Takes an event in.
    /// - Parameters:
    ///   - version: the event's own.
    ///   - before: the state without it.
    mutating func apply(_ event: SightingEvent, version: Int, before: SightingState) {
        switch event {
        case .imported(let payload):
            if payload.undo == nil { touch(payload.batch, version, before) }
        case .corrected(let payload):
            guard payload.undo == nil else { return }
            if let batch = payload.batch { touch(batch, version, before) } else { note(payload) }
        case .withdrawn(let payload):
            guard payload.undo == nil else { return }
            switch payload.reason {
            case .vanished: if let batch = payload.batch { touch(batch, version, before, isWithdrawal: true) }
            // Undoing used to withdraw whatever the import had changed.
            case .undone: if let batch = payload.batch, touches.last?.batch == batch { close(.withdrawn) }
            case .mistake, .privacy: change(.withdrawn)
            }
        case .rejected(let payload):
            if repeatsRejection(payload, version) { extend(to: version) } else { change(.moderated) }
        case .reopened(let payload):
            // Without a moderator it follows from the event before it.
            if payload.review == nil { extend(to: version) } else { change(.moderated) }
        case .approved, .secondOpinionAsked, .questionAsked, .identified, .hidden, .unhidden, .released,
            .geoprivacyNarrowed, .geoprivacyWidened:
            change(.moderated)
        case .submitted, .answered, .appealed, .flagged, .photosOrdered, .payloadRedacted, .redacted: break
        }
    }

    /// Takes in that the newest import is undone.
    mutating func close(_ effect: UndoEffect) {
        guard let touch = touches.last else { return }
        // Without the mark that this import has changed what an earlier one did.
        touches = touch.before.imports.touches
        undone.append(UndoneImport(batch: touch.batch, versionBefore: touch.versionBefore, effect: effect))
    }

    private mutating func touch(
        _ batch: BatchID, _ version: Int, _ before: SightingState, isWithdrawal: Bool = false
    ) {
        if let last = touches.last, last.batch == batch, last.changedSince == nil {
            extend(to: version, isWithdrawal: isWithdrawal)
        } else {
            change(.laterImport(batch))
            touches.append(
                ImportTouch(
                    batch: batch, versionBefore: version - 1, before: before, lastVersion: version,
                    isWithdrawal: isWithdrawal))
        }
    }

    private mutating func extend(to version: Int, isWithdrawal: Bool = false) {
        guard let last = touches.indices.last else { return }
        (touches[last].lastVersion, touches[last].isWithdrawal) = (version, isWithdrawal)
    }

    private mutating func change(_ obstacle: UndoObstacle) {
        guard let last = touches.indices.last, touches[last].changedSince == nil else { return }
        touches[last].changedSince = obstacle
    }

    /// A correction without an import is a moderator's, unless it only notes the observers or the visit of a row.
    private mutating func note(_ correction: SightingCorrected) {
        if !correction.isNote { change(.moderated) }
    }

    /// Whether a rejection is the earlier one of a record whose row came back.
    private func repeatsRejection(_ rejection: SightingRejected, _ version: Int) -> Bool {
        guard let last = touches.last, last.lastVersion == version - 1, last.before.withdrawnFrom == .rejected else {
            return false
        }
        let review = last.before.review
        return review.rejectedBy == rejection.review.moderator && review.reasons == rejection.reasons
    }
}
