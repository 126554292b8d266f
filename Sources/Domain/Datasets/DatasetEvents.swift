/// The events of a dataset's stream. Each record has a stream of its own.
package enum DatasetEvent: Equatable, Sendable {
    case registered(DatasetRegistered)
    case described(DatasetDescribed)
    case importStarted(ImportStarted)
    case importFinished(ImportFinished)
    case importUndone(ImportUndone)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension DatasetEvent: DomainEvent {
    package static let stream = StreamKind.dataset

    package static let table: [EventEntry<Self>] = [
        EventEntry(registered, "A dataset was registered.", by: "register", isComplete: true),
        EventEntry(described, "Its title or its credits were changed.", by: "describe", isEssential: false),
        EventEntry(importStarted, "An import began to read a file.", by: "startImport"),
        EventEntry(importFinished, "An import read its file to the end.", by: "finishImport"),
        EventEntry(importUndone, "An import was undone, except for records that had changed since.", by: "undoImport"),
        .redaction(payloadRedacted),
    ]

    package var body: any EventBody {
        switch self {
        case .registered(let payload): payload
        case .described(let payload): payload
        case .importStarted(let payload): payload
        case .importFinished(let payload): payload
        case .importUndone(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}

/// A dataset became known. Its title and credits are beside the log.
package struct DatasetRegistered: EventPayload {
    package static let type = "DatasetRegistered"
    /// The licence of records that name none.
    package var licence: Licence?
    /// Whether its records may be passed on to others.
    package var republish: Republishing

    static let shape = Shape<Self>(
        Self.init,
        .optional("licence", \.licence),
        .required("republish", \.republish))
}

/// The title, publisher, citation or rights holder of a dataset was changed. The texts are beside the log.
package struct DatasetDescribed: EventPayload {
    package static let type = "DatasetDescribed"
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(Self.init, .list("content", \.content))
}

/// A file began to be read. Its name is beside the log.
package struct ImportStarted: EventPayload {
    package static let type = "ImportStarted"
    /// The id of the import.
    package var batch: BatchID
    /// The SHA-256 of the file.
    package var file: Fingerprint

    static let shape = Shape<Self>(Self.init, .required("batch", \.batch), .required("file", \.file))
}

/// A file was read to its end. Counts its rows by outcome.
package struct ImportFinished: EventPayload {
    package static let type = "ImportFinished"
    /// The id of the import.
    package var batch: BatchID
    /// Rows that became records.
    package var accepted: Int
    /// Rows that were present before, unchanged.
    package var known: Int
    /// Rows that changed a record.
    package var corrected: Int
    /// Records withdrawn because their rows had vanished.
    package var withdrawn: Int
    /// Rows that were rejected.
    package var rejected: Int

    static let shape = Shape<Self>(
        Self.init,
        .required("batch", \.batch),
        .integer("accepted", \.accepted),
        .integer("known", \.known),
        .integer("corrected", \.corrected),
        .integer("withdrawn", \.withdrawn),
        .integer("refused", \.rejected))

    package init(batch: BatchID, accepted: Int, known: Int, corrected: Int, withdrawn: Int, rejected: Int) {
        self.batch = batch
        self.accepted = accepted
        self.known = known
        self.corrected = corrected
        self.withdrawn = withdrawn
        self.rejected = rejected
    }
}

/// An import was undone: its records are as they were before it, except those that had changed since.
package struct ImportUndone: EventPayload {
    package static let type = "ImportUndone"
    /// The id of the import.
    package var batch: BatchID
    /// How many records were withdrawn.
    package var withdrawn: Int
    /// How many records got their former values back; nil in earlier events, as are the next two.
    package var setBack: Int?
    /// How many withdrawn records were restored.
    package var broughtBack: Int?
    /// How many records were left as they are, because they had changed since.
    package var left: Int?

    static let shape = Shape<Self>(
        Self.init,
        .required("batch", \.batch),
        .integer("withdrawn", \.withdrawn),
        .integer("setBack", ifPresent: \.setBack),
        .integer("broughtBack", ifPresent: \.broughtBack),
        .integer("left", ifPresent: \.left))

    package init(
        batch: BatchID, withdrawn: Int, setBack: Int? = nil, broughtBack: Int? = nil, left: Int? = nil
    ) {
        self.batch = batch
        self.withdrawn = withdrawn
        self.setBack = setBack
        self.broughtBack = broughtBack
        self.left = left
    }
}
