/// The events of a dataset's stream. Its records are streams of their own.
package enum DatasetEvent: Equatable, Sendable {
    case registered(DatasetRegistered)
    case importStarted(ImportStarted)
    case importFinished(ImportFinished)
    case importUndone(ImportUndone)
    case payloadRedacted(PayloadRedacted)
    /// One of the above whose payload is gone.
    case redacted(RedactedEvent)
}

extension DatasetEvent: DomainEvent {
    /// The kind of stream that holds them.
    package static let stream = StreamKind.dataset

    /// What each of them means.
    package static let table = [
        EventDescription(DatasetRegistered.type, "A dataset became known.", by: "register", isComplete: true),
        EventDescription(ImportStarted.type, "A file began to be read.", by: "startImport"),
        EventDescription(ImportFinished.type, "A file was read to its end.", by: "finishImport"),
        EventDescription(ImportUndone.type, "The records of an import were withdrawn.", by: "undoImport"),
        PayloadRedacted.description,
    ]

    /// The event's name in the log.
    package var type: String {
        switch self {
        case .registered: DatasetRegistered.type
        case .importStarted: ImportStarted.type
        case .importFinished: ImportFinished.type
        case .importUndone: ImportUndone.type
        case .payloadRedacted: PayloadRedacted.type
        case .redacted(let event): event.type
        }
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        switch self {
        case .registered(let payload): payload.write(fields: &writer)
        case .importStarted(let payload): payload.write(fields: &writer)
        case .importFinished(let payload): payload.write(fields: &writer)
        case .importUndone(let payload): payload.write(fields: &writer)
        case .payloadRedacted(let payload): payload.write(fields: &writer)
        case .redacted(let event): event.write(fields: &writer)
        }
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        _ = try Self.description(of: reader.type)
        if let event = try RedactedEvent(reader) {
            self = .redacted(event)
            return
        }
        switch reader.type {
        case DatasetRegistered.type: self = .registered(try DatasetRegistered(reader))
        case ImportStarted.type: self = .importStarted(try ImportStarted(reader))
        case ImportFinished.type: self = .importFinished(try ImportFinished(reader))
        case ImportUndone.type: self = .importUndone(try ImportUndone(reader))
        case PayloadRedacted.type: self = .payloadRedacted(try PayloadRedacted(reader))
        default: throw .unknownType(reader.type)
        }
    }
}

/// A dataset became known. Its title and credits are beside the log.
package struct DatasetRegistered: EventPayload {
    /// The event's name in the log.
    package static let type = "DatasetRegistered"
    /// The licence of records that name none.
    package var licence: Licence?
    /// Whether its records may be passed on to others.
    package var republish: Republishing

    /// Puts the event together.
    package init(licence: Licence?, republish: Republishing) {
        self.licence = licence
        self.republish = republish
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        licence = try reader.optional("licence")
        republish = try reader.required("republish")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("licence", licence)
        writer.field("republish", republish)
    }
}

/// A file began to be read. Its name is beside the log.
package struct ImportStarted: EventPayload {
    /// The event's name in the log.
    package static let type = "ImportStarted"
    /// The import's own id.
    package var batch: BatchID
    /// The SHA-256 of the file.
    package var file: Fingerprint

    /// Puts the event together.
    package init(batch: BatchID, file: Fingerprint) {
        self.batch = batch
        self.file = file
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        batch = try reader.required("batch")
        file = try reader.required("file")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("batch", batch)
        writer.field("file", file)
    }
}

/// A file was read to its end: what became of its rows.
package struct ImportFinished: EventPayload {
    /// The event's name in the log.
    package static let type = "ImportFinished"
    /// The import's own id.
    package var batch: BatchID
    /// Rows that became records.
    package var accepted: Int
    /// Rows that were there before, unchanged.
    package var known: Int
    /// Rows that changed a record.
    package var corrected: Int
    /// Records withdrawn because their rows had vanished.
    package var withdrawn: Int
    /// Rows that were refused.
    package var refused: Int

    /// Puts the event together.
    package init(batch: BatchID, accepted: Int, known: Int, corrected: Int, withdrawn: Int, refused: Int) {
        self.batch = batch
        self.accepted = accepted
        self.known = known
        self.corrected = corrected
        self.withdrawn = withdrawn
        self.refused = refused
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        batch = try reader.required("batch")
        accepted = try reader.integer("accepted")
        known = try reader.integer("known")
        corrected = try reader.integer("corrected")
        withdrawn = try reader.integer("withdrawn")
        refused = try reader.integer("refused")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("batch", batch)
        writer.field("accepted", integer: accepted)
        writer.field("known", integer: known)
        writer.field("corrected", integer: corrected)
        writer.field("withdrawn", integer: withdrawn)
        writer.field("refused", integer: refused)
    }
}

/// The records of an import were withdrawn.
package struct ImportUndone: EventPayload {
    /// The event's name in the log.
    package static let type = "ImportUndone"
    /// The import's own id.
    package var batch: BatchID
    /// How many records were withdrawn.
    package var withdrawn: Int

    /// Puts the event together.
    package init(batch: BatchID, withdrawn: Int) {
        self.batch = batch
        self.withdrawn = withdrawn
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        batch = try reader.required("batch")
        withdrawn = try reader.integer("withdrawn")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("batch", batch)
        writer.field("withdrawn", integer: withdrawn)
    }
}
