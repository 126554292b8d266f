/// What may be asked of a sighting.
package enum SightingCommand: Equatable, Sendable {
    case submit(SubmitSighting)
    case correct(CorrectSighting)
    case withdraw(WithdrawSighting)
    case importRecord(ImportSighting)
    case withdrawImport(WithdrawImport)
}

/// Why a sighting command may be rejected.
package enum SightingRejection: Error, Equatable, Sendable {
    /// There is no such sighting, or it is another observer's: the two are not told apart.
    case notFound
    /// The stream already holds a sighting.
    case alreadySubmitted
    /// The record is of another dataset.
    case otherDataset
    case withdrawn(WithdrawalReason)
    /// A part of it was redacted; it can be withdrawn, but not corrected.
    case redacted
    /// Values contradict the rules.
    case invalid(Faults)
}

/// The texts that are kept beside the log for a sighting.
package struct SightingContent: Equatable, Sendable {
    package var notes: Note?
    /// The name as it was typed.
    package var verbatimName: VerbatimName?

    package init(notes: Note? = nil, verbatimName: VerbatimName? = nil) {
        self.notes = notes
        self.verbatimName = verbatimName
    }
}

/// An observer sends a sighting in.
package struct SubmitSighting: Equatable, Sendable {
    package var observer: AccountID
    /// nil for unidentified.
    package var identification: Identification?
    /// With confidence, licence, geoprivacy and protocol.
    package var details: SightingDetails
    package var content: SightingContent
    /// The targets that asked for this taxon then.
    package var promptedBy: TargetsID?
    /// When the service received it.
    package var receivedAt: Instant

    package init(
        observer: AccountID, identification: Identification?, details: SightingDetails,
        content: SightingContent = SightingContent(), receivedAt: Instant
    ) {
        self.observer = observer
        self.identification = identification
        self.details = details
        self.content = content
        self.receivedAt = receivedAt
    }
}

/// The observer changes some of a sighting. What equals the old value is no change.
package struct CorrectSighting: Equatable, Sendable {
    /// Who asks.
    package var observer: AccountID
    /// Cleared for unidentified.
    package var identification: Change<Identification> = .unset
    package var changes = SightingChanges()
    /// What is kept beside the log for this sighting now.
    package var kept: SightingContent
    /// What is to be kept there.
    package var content: SightingContent
    /// When the service received the correction.
    package var receivedAt: Instant

    /// A correction that changes nothing yet.
    package init(observer: AccountID, kept: SightingContent, receivedAt: Instant) {
        self.observer = observer
        self.kept = kept
        content = kept
        self.receivedAt = receivedAt
    }
}

/// The observer takes a sighting back.
package struct WithdrawSighting: Equatable, Sendable {
    /// Why an observer may take a sighting back.
    package enum Reason: String, Vocabulary {
        case mistake, privacy
    }

    /// Who asks.
    package var observer: AccountID
    package var reason: Reason

    package init(observer: AccountID, reason: Reason) {
        self.observer = observer
        self.reason = reason
    }
}

/// A row of a file becomes, changes or brings back a record.
package struct ImportSighting: Equatable, Sendable {
    package var dataset: DatasetID
    package var batch: BatchID
    /// nil for unidentified.
    package var identification: Identification?
    package var details: SightingDetails
    /// The fingerprint of the row's content: equal ones are the same row.
    package var occurrence: Fingerprint
    /// The row as it came, as JSON.
    package var record: String
    /// When the service read it.
    package var receivedAt: Instant

    package init(
        dataset: DatasetID, batch: BatchID, identification: Identification?, details: SightingDetails,
        occurrence: Fingerprint, record: String, receivedAt: Instant
    ) {
        self.dataset = dataset
        self.batch = batch
        self.identification = identification
        self.details = details
        self.occurrence = occurrence
        self.record = record
        self.receivedAt = receivedAt
    }
}

/// A record leaves with its row, or with the import that brought it. One that has left already stays as it is.
package struct WithdrawImport: Equatable, Sendable {
    /// Why a record may leave.
    package enum Reason: String, Vocabulary {
        case vanished, undone
    }

    package var dataset: DatasetID
    /// The import that is done, or undone.
    package var batch: BatchID
    package var reason: Reason

    package init(dataset: DatasetID, batch: BatchID, reason: Reason) {
        self.dataset = dataset
        self.batch = batch
        self.reason = reason
    }
}
