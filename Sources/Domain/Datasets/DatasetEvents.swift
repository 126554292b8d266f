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
