/// An observer sent a sighting in. Notes and the name as typed are beside the log.
package struct SightingSubmitted: EventPayload {
    package static let type = "SightingSubmitted"
    package var observer: AccountID
    package var identification: IdentificationChanges
    /// Confidence, licence, geoprivacy and protocol are always set.
    package var changes: SightingChanges
    /// The targets that prompted the sighting.
    package var promptedBy: TargetsID?
    /// The SHA-256 of photos that will follow.
    package var awaitedPhotos: [Fingerprint]
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(
        Self.init,
        .required("observer", \.observer),
        .flat(\.identification),
        .flat(\.changes, as: .first),
        .optional("promptedBy", \.promptedBy),
        .list("awaitedPhotos", \.awaitedPhotos),
        .list("content", \.content)
    ).requiring(\.changes.missingInSubmission)
}

extension SightingSubmitted {
    init(_ command: SubmitSighting, content: [ContentField]) {
        observer = command.observer
        identification = IdentificationChanges(from: nil, to: command.identification, isWhole: true)
        changes = SightingChanges(from: nil, to: command.details, isWhole: true)
        promptedBy = command.promptedBy
        awaitedPhotos = command.awaitedPhotos
        self.content = content
    }
}

extension SightingChanges {
    /// The name of the first member that only imports may lack, and that is missing.
    var missingInSubmission: String? {
        if confidence == nil { return "confidence" }
        if licence.value == nil { return "licence" }
        if geoprivacy == nil { return "geoprivacy" }
        return surveyProtocol == nil ? "protocol" : nil
    }
}

/// A row of a dataset became a record, or came back as one. The row as it came is beside the log.
///
/// The event of a restored record also clears the values that the record no longer has.
package struct SightingImported: EventPayload {
    package static let type = "SightingImported"
    package var dataset: DatasetID
    /// The import.
    package var batch: BatchID
    package var identification: IdentificationChanges
    package var changes: SightingChanges
    /// The fingerprint of the row's content.
    package var occurrence: Fingerprint
    /// The observers of the row; unset where it has none, and in earlier events.
    package var recorder: Change<RecorderID>
    /// The visit of the row; unset where the import names no visits.
    package var rowVisit: Change<RowVisit>
    /// Set if the record comes back because an import is undone.
    package var undo: UndoStamp?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(
        Self.init,
        .required("dataset", \.dataset),
        .required("batch", \.batch),
        .flat(\.identification),
        .flat(\.changes, as: .first),
        .required("occurrence", \.occurrence),
        .change("recorder", \.recorder),
        .change("rowVisit", \.rowVisit),
        .flat(\.undo, ifPresent: "undoes"),
        .list("content", \.content))
}

extension SightingImported {
    /// - Parameter record: the earlier state of a restored record; nil for a new one.
    init(_ command: ImportSighting, before record: SightingRecord?) {
        dataset = command.dataset
        batch = command.batch
        identification = IdentificationChanges(
            from: record?.identification, to: command.identification, isWhole: true)
        changes = SightingChanges(from: record?.details, to: command.details, isWhole: true)
        occurrence = command.occurrence
        recorder = Change(initial: command.recorder)
        rowVisit = Change(from: record?.rowVisit, to: command.rowVisit.applied(to: record?.rowVisit), isWhole: true)
        content = [.record]
    }

    /// A record as it was before an import, with all its values.
    /// - Parameter present: its values now.
    init(_ record: SightingRecord, dataset: DatasetID, over present: SightingRecord, _ restored: RestoredOrigin) {
        self.dataset = dataset
        batch = restored.batch
        identification = IdentificationChanges(
            from: present.identification, to: record.identification, isWhole: true)
        changes = SightingChanges(from: present.details, to: record.details, isWhole: true)
        occurrence = restored.occurrence
        recorder = Change(from: present.recorder, to: record.recorder)
        rowVisit = Change(from: present.rowVisit, to: record.rowVisit)
        content = []
    }
}

/// Some of a sighting was changed. Only what changed is here. Geoprivacy has events of its own.
package struct SightingCorrected: EventPayload {
    package static let type = "SightingCorrected"
    package var identification: IdentificationChanges
    package var changes = SightingChanges()
    /// The fingerprint of the row's content, for imports.
    package var occurrence: Fingerprint?
    /// The import that changed it; where one is undone, the last import before it.
    package var batch: BatchID?
    /// The observers of the row, for imports.
    package var recorder: Change<RecorderID> = .unset
    /// The visit of the row, for imports.
    package var rowVisit: Change<RowVisit> = .unset
    /// Set if it takes the correction of an import back.
    package var undo: UndoStamp?
    /// The fields that were rewritten or erased beside the log.
    package var content: [ContentField] = []

    static let shape = Shape<Self>(
        Self.init,
        .flat(\.identification),
        .flat(\.changes, as: .later),
        .optional("occurrence", \.occurrence),
        .optional("batch", \.batch),
        .change("recorder", \.recorder),
        .change("rowVisit", \.rowVisit),
        .flat(\.undo, ifPresent: "undoes"),
        .list("content", \.content))
}

extension SightingCorrected {
    /// A correction of nothing, to be filled.
    package init() {
        self.init(identification: IdentificationChanges())
    }

    package var isEmpty: Bool { self == SightingCorrected() }

    /// Whether it changes nothing but the observers and the visit of a row.
    package var isNote: Bool {
        var rest = self
        (rest.recorder, rest.rowVisit) = (.unset, .unset)
        return rest.isEmpty
    }
}

/// Less of a sighting's place may be seen, also in answers about earlier positions.
package struct SightingGeoprivacyNarrowed: EventPayload {
    package static let type = "SightingGeoprivacyNarrowed"
    /// How much of it may be seen from now on.
    package var geoprivacy: Geoprivacy

    static let shape = Shape<Self>(Self.init, .required("geoprivacy", \.geoprivacy))
}

/// More of a sighting's place may be seen.
package struct SightingGeoprivacyWidened: EventPayload {
    package static let type = "SightingGeoprivacyWidened"
    /// How much of it may be seen from now on.
    package var geoprivacy: Geoprivacy

    static let shape = Shape<Self>(Self.init, .required("geoprivacy", \.geoprivacy))
}

/// A sighting was taken back.
package struct SightingWithdrawn: EventPayload {
    package static let type = "SightingWithdrawn"
    package var reason: WithdrawalReason
    /// The import that lacked its row, or was undone; where another one is undone, the last import before it.
    package var batch: BatchID?
    /// Set if an import is undone.
    package var undo: UndoStamp?

    static let shape = Shape<Self>(
        Self.init,
        .required("reason", \.reason),
        .optional("batch", \.batch),
        .flat(\.undo, ifPresent: "undoes"))
}
