/// The commands of a sighting.
package enum SightingCommand: Equatable, Sendable {
    case submit(SubmitSighting)
    case correct(CorrectSighting)
    case withdraw(WithdrawSighting)
    case importRecord(ImportSighting)
    case withdrawImport(WithdrawImport)
    case undoImport(UndoImportOfRecord)
    case judge(JudgeSighting)
    /// Restores the state before a decision of a batch.
    case restore(RestoreDecision)
    case identify(IdentifySighting)
    case answer(SightingWords)
    case appeal(SightingWords)
    case hide(HideSighting)
    case amend(AmendSighting)
    case release(ReleaseSighting)
    case flag(RaiseFlag)
    case orderPhotos(OrderPhotos)
}

/// Why a sighting command is rejected.
package enum SightingRejection: Error, Equatable, Sendable {
    /// There is no such sighting, or it is another observer's; callers cannot distinguish the two.
    case notFound
    /// The stream already holds a sighting.
    case alreadySubmitted
    /// The record is of another dataset.
    case otherDataset
    case withdrawn(WithdrawalReason)
    /// A part of it was redacted; it can be withdrawn, but not corrected.
    case redacted
    /// Moderators do not judge their own sightings.
    case ownSighting
    /// A second opinion, or the decision on an appeal, has to come from another moderator.
    case otherModerator
    /// A decision that needs a second opinion cannot be part of a batch.
    case notInBatch
    /// There is nothing to answer or appeal against, or the rejection was appealed before.
    case nothingOpen
    /// Later events have changed what the batch decided.
    case changedSince
    /// An import cannot be undone for this record.
    case keptFromUndo(UndoObstacle)
    /// Values contradict the rules.
    case invalid(Faults)
}

/// The content of a sighting, stored beside the log.
package struct SightingContent: Equatable, Sendable {
    package var notes: Note?
    /// The name as it was typed.
    package var verbatimName: VerbatimName?

    package init(notes: Note? = nil, verbatimName: VerbatimName? = nil) {
        self.notes = notes
        self.verbatimName = verbatimName
    }
}

/// An observer submits a sighting.
package struct SubmitSighting: Equatable, Sendable {
    package var observer: AccountID
    /// nil for unidentified.
    package var identification: Identification?
    /// Confidence, licence, geoprivacy and protocol are always set.
    package var details: SightingDetails
    package var content: SightingContent
    /// The targets that prompted the sighting.
    package var promptedBy: TargetsID?
    /// The SHA-256 of photos that will follow.
    package var awaitedPhotos: [Fingerprint]
    /// When the service received it.
    package var receivedAt: Instant

    package init(
        observer: AccountID, identification: Identification?, details: SightingDetails,
        content: SightingContent = SightingContent(), promptedBy: TargetsID? = nil, awaitedPhotos: [Fingerprint] = [],
        receivedAt: Instant
    ) {
        self.observer = observer
        self.identification = identification
        self.details = details
        self.content = content
        self.promptedBy = promptedBy
        self.awaitedPhotos = awaitedPhotos
        self.receivedAt = receivedAt
    }
}

/// The observer corrects parts of a sighting. A value equal to the old one is no change.
package struct CorrectSighting: Equatable, Sendable {
    /// The caller, who must be the sighting's observer.
    package var observer: AccountID
    /// Cleared for unidentified.
    package var identification: Change<Identification> = .unset
    package var changes = SightingChanges()
    /// The content that is stored now.
    package var kept: SightingContent
    /// The content to store.
    package var content: SightingContent
    /// When the service received the correction.
    package var receivedAt: Instant

    package init(observer: AccountID, kept: SightingContent, receivedAt: Instant) {
        self.observer = observer
        self.kept = kept
        content = kept
        self.receivedAt = receivedAt
    }
}

/// The observer withdraws a sighting.
package struct WithdrawSighting: Equatable, Sendable {
    /// Why an observer may withdraw a sighting.
    package enum Reason: String, Vocabulary {
        case mistake, privacy
    }

    /// The caller, who must be the sighting's observer.
    package var observer: AccountID
    package var reason: Reason

    package init(observer: AccountID, reason: Reason) {
        self.observer = observer
        self.reason = reason
    }
}

/// A row of a file creates, corrects or restores a record.
package struct ImportSighting: Equatable, Sendable {
    package var dataset: DatasetID
    package var batch: BatchID
    /// nil for unidentified.
    package var identification: Identification?
    package var details: SightingDetails
    /// The fingerprint of the row's content; rows with the same one are equal.
    package var occurrence: Fingerprint
    /// The observers of the row; nil where it has none.
    package var recorder: RecorderID?
    /// Cleared where the import names visits and the row has none; unset where the import names none.
    package var rowVisit: Change<RowVisit>
    /// The row as it came, as JSON.
    package var record: String
    /// When the service read it.
    package var receivedAt: Instant

    package init(
        dataset: DatasetID, batch: BatchID, identification: Identification?, details: SightingDetails,
        occurrence: Fingerprint, recorder: RecorderID? = nil, rowVisit: Change<RowVisit> = .unset, record: String,
        receivedAt: Instant
    ) {
        self.dataset = dataset
        self.batch = batch
        self.identification = identification
        self.details = details
        self.occurrence = occurrence
        self.recorder = recorder
        self.rowVisit = rowVisit
        self.record = record
        self.receivedAt = receivedAt
    }
}

/// Withdraws a record whose row vanished. A withdrawn record stays as it is.
package struct WithdrawImport: Equatable, Sendable {
    package var dataset: DatasetID
    /// The import that lacked the row.
    package var batch: BatchID

    package init(dataset: DatasetID, batch: BatchID) {
        self.dataset = dataset
        self.batch = batch
    }
}

/// Restores a record as it was before an import; one that the import created is withdrawn.
package struct UndoImportOfRecord: Equatable, Sendable {
    package var dataset: DatasetID
    /// The import that is undone.
    package var batch: BatchID
    /// The change of the row beside the log that brings the former one back.
    package var record: Change<String>

    package init(dataset: DatasetID, batch: BatchID, record: Change<String> = .unset) {
        self.dataset = dataset
        self.batch = batch
        self.record = record
    }
}
