/// A row of a file becomes, changes or brings back a record.
package struct ImportSighting: Equatable, Sendable {
    /// The dataset.
    package var dataset: DatasetID
    /// The import.
    package var batch: BatchID
    /// What it is said to be.
    package var identification: Identification?
    /// How many.
    package var count: IndividualCount?
    /// When.
    package var observed: ObservedInterval
    /// Where.
    package var location: Location
    /// How far the true place may be off.
    package var uncertainty: UncertaintyMetres?
    /// Whether it was kept or planted by people.
    package var captive = false
    /// The record's own licence.
    package var licence: Licence?
    /// The fingerprint of the row's content: equal ones are the same row.
    package var occurrence: Fingerprint
    /// The row as it came, as JSON.
    package var record: String
    /// When the service read it.
    package var receivedAt: Instant

    /// Puts the required parts of a row together; the others are set afterwards.
    package init(
        dataset: DatasetID, batch: BatchID, identification: Identification?, observed: ObservedInterval,
        location: Location, occurrence: Fingerprint, record: String, receivedAt: Instant
    ) {
        self.dataset = dataset
        self.batch = batch
        self.identification = identification
        self.observed = observed
        self.location = location
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

    /// The dataset.
    package var dataset: DatasetID
    /// The import that is done, or undone.
    package var batch: BatchID
    /// Why.
    package var reason: Reason

    /// Puts the request together.
    package init(dataset: DatasetID, batch: BatchID, reason: Reason) {
        self.dataset = dataset
        self.batch = batch
        self.reason = reason
    }
}
