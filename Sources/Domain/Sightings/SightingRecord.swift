/// A sighting as it stands now: what its payloads give when they are merged in order.
package struct SightingRecord: Equatable, Sendable {
    /// nil for imports.
    package internal(set) var observer: AccountID?
    /// nil for submissions.
    package internal(set) var dataset: DatasetID?
    /// The import that touched it last.
    package internal(set) var batch: BatchID?
    package internal(set) var identification: Identification
    package internal(set) var details: SightingDetails
    /// The targets that asked for this taxon then.
    package internal(set) var promptedBy: TargetsID?
    /// The fingerprint of the row's content; nil for submissions.
    package internal(set) var occurrence: Fingerprint?

    /// nil for an event that lacks the time or the place, which no event that was read does.
    init?(_ event: SightingSubmitted) {
        guard let details = SightingDetails(event.changes) else { return nil }
        observer = event.observer
        identification = Identification(event.identification)
        self.details = details
        promptedBy = event.promptedBy
    }

    /// A record from its row.
    /// - Parameter record: what it was before it had left, if it had.
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
