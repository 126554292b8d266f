/// The events of a dataset's stream. Each record has a stream of its own.
package enum DatasetEvent: Equatable, Sendable {
    case registered(DatasetRegistered)
    case importStarted(ImportStarted)
    case importFinished(ImportFinished)
    case importUndone(ImportUndone)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension DatasetEvent: DomainEvent {
    package static let stream = StreamKind.dataset

    package static let table = [
        EventDescription(DatasetRegistered.type, "A dataset became known.", by: "register", isComplete: true),
        EventDescription(ImportStarted.type, "A file began to be read.", by: "startImport"),
        EventDescription(ImportFinished.type, "A file was read to its end.", by: "finishImport"),
        EventDescription(ImportUndone.type, "The records of an import were withdrawn.", by: "undoImport"),
        PayloadRedacted.description,
    ]

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

    /// - Throws: ``PayloadFault`` naming the member.
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
    package static let type = "DatasetRegistered"
    /// The licence of records that name none.
    package var licence: Licence?
    /// Whether its records may be passed on to others.
    package var republish: Republishing

    package init(licence: Licence?, republish: Republishing) {
        self.licence = licence
        self.republish = republish
    }

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        licence = try reader.optional("licence")
        republish = try reader.required("republish")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("licence", licence)
        writer.field("republish", republish)
    }
}

/// A file began to be read. Its name is beside the log.
package struct ImportStarted: EventPayload {
    package static let type = "ImportStarted"
    /// The id of the import.
    package var batch: BatchID
    /// The SHA-256 of the file.
    package var file: Fingerprint

    package init(batch: BatchID, file: Fingerprint) {
        self.batch = batch
        self.file = file
    }

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        batch = try reader.required("batch")
        file = try reader.required("file")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("batch", batch)
        writer.field("file", file)
    }
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
    package var refused: Int

    package init(batch: BatchID, accepted: Int, known: Int, corrected: Int, withdrawn: Int, refused: Int) {
        self.batch = batch
        self.accepted = accepted
        self.known = known
        self.corrected = corrected
        self.withdrawn = withdrawn
        self.refused = refused
    }

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        batch = try reader.required("batch")
        accepted = try reader.integer("accepted")
        known = try reader.integer("known")
        corrected = try reader.integer("corrected")
        withdrawn = try reader.integer("withdrawn")
        refused = try reader.integer("refused")
    }

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
    package static let type = "ImportUndone"
    /// The id of the import.
    package var batch: BatchID
    /// How many records were withdrawn.
    package var withdrawn: Int

    package init(batch: BatchID, withdrawn: Int) {
        self.batch = batch
        self.withdrawn = withdrawn
    }

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        batch = try reader.required("batch")
        withdrawn = try reader.integer("withdrawn")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("batch", batch)
        writer.field("withdrawn", integer: withdrawn)
    }
}
