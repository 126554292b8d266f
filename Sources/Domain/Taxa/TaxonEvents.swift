/// The events of a taxon's stream: the only ones whose payloads hold text, because it was published before.
package enum TaxonEvent: Equatable, Sendable {
    case added(TaxonAdded)
    case named(TaxonNamed)
    case synonymAdded(TaxonSynonymAdded)
    case moved(TaxonMoved)
    case described(TaxonDescribed)
    case sensitivitySet(TaxonSensitivitySet)
    case payloadRedacted(PayloadRedacted)
    /// One of the above whose payload is gone.
    case redacted(RedactedEvent)
}

extension TaxonEvent: DomainEvent {
    /// The kind of stream that holds them.
    package static let stream = StreamKind.taxon

    /// What each of them means.
    package static let table = [
        EventDescription(TaxonAdded.type, "A taxon became known.", by: "add", isComplete: true),
        EventDescription(TaxonNamed.type, "It has another preferred common name in a language.", by: "name"),
        EventDescription(TaxonSynonymAdded.type, "It is also found under another scientific name.", by: "addSynonym"),
        EventDescription(TaxonMoved.type, "It has another parent.", by: "move"),
        EventDescription(TaxonDescribed.type, "It is described otherwise.", by: "describe"),
        EventDescription(
            TaxonSensitivitySet.type, "Its places need more or less care.", by: "setSensitivity",
            .either("restriction when the category is raised, to a lower number or from none")),
        PayloadRedacted.description,
    ]

    /// The event's name in the log.
    package var type: String {
        switch self {
        case .added: TaxonAdded.type
        case .named: TaxonNamed.type
        case .synonymAdded: TaxonSynonymAdded.type
        case .moved: TaxonMoved.type
        case .described: TaxonDescribed.type
        case .sensitivitySet: TaxonSensitivitySet.type
        case .payloadRedacted: PayloadRedacted.type
        case .redacted(let event): event.type
        }
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        switch self {
        case .added(let payload): payload.write(fields: &writer)
        case .named(let payload): payload.write(fields: &writer)
        case .synonymAdded(let payload): payload.write(fields: &writer)
        case .moved(let payload): payload.write(fields: &writer)
        case .described(let payload): payload.write(fields: &writer)
        case .sensitivitySet(let payload): payload.write(fields: &writer)
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
        case TaxonAdded.type: self = .added(try TaxonAdded(reader))
        case TaxonNamed.type: self = .named(try TaxonNamed(reader))
        case TaxonSynonymAdded.type: self = .synonymAdded(try TaxonSynonymAdded(reader))
        case TaxonMoved.type: self = .moved(try TaxonMoved(reader))
        case TaxonDescribed.type: self = .described(try TaxonDescribed(reader))
        case TaxonSensitivitySet.type: self = .sensitivitySet(try TaxonSensitivitySet(reader))
        case PayloadRedacted.type: self = .payloadRedacted(try PayloadRedacted(reader))
        default: throw .unknownType(reader.type)
        }
    }
}
