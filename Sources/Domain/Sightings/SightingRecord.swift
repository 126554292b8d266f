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
    /// The fingerprint of the row's content; nil for submissions.
    package internal(set) var occurrence: Fingerprint?

    /// nil for an event that lacks the time or the place; reading an event guarantees both.
    init?(_ event: SightingSubmitted) {
        guard let details = SightingDetails(event.changes) else { return nil }
        observer = event.observer
        identification = Identification(event.identification)
        self.details = details
        promptedBy = event.promptedBy
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
    }

    mutating func apply(_ event: SightingCorrected) {
        identification = Identification(event.identification, over: identification)
        details = SightingDetails(event.changes, over: details) ?? details
        occurrence = event.occurrence ?? occurrence
        batch = event.batch ?? batch
    }
}
