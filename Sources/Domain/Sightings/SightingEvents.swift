/// The events of a sighting's stream, whether it was submitted or imported.
///
/// | event | meaning | effect |
/// |---|---|---|
/// | `SightingSubmitted` | An observer sent a sighting in. | knowledge |
/// | `SightingImported` | A row of a dataset became a record, or came back as one. | knowledge |
/// | `SightingCorrected` | Some of it was changed. | knowledge |
/// | `SightingGeoprivacyNarrowed` | Less of its place may be seen. | restriction |
/// | `SightingGeoprivacyWidened` | More of its place may be seen. | knowledge |
/// | `SightingWithdrawn` | It was taken back. | restriction for privacy |
/// | `PayloadRedacted` | An earlier payload was taken out of the log. | restriction |
package enum SightingEvent: Equatable, Sendable {
    case submitted(SightingSubmitted)
    case imported(SightingImported)
    case corrected(SightingCorrected)
    case geoprivacyNarrowed(SightingGeoprivacyNarrowed)
    case geoprivacyWidened(SightingGeoprivacyWidened)
    case withdrawn(SightingWithdrawn)
    case payloadRedacted(PayloadRedacted)
    /// One of the above whose payload is gone.
    case redacted(RedactedEvent)
}

extension SightingEvent: DomainEvent {
    /// The kind of stream that holds them.
    package static let stream = StreamKind.sighting

    /// What each of them means.
    package static let table = [
        EventDescription(SightingSubmitted.type, "An observer sent a sighting in.", by: "submit"),
        EventDescription(
            SightingImported.type, "A row of a dataset became a record, or came back as one.", by: "importRecord"),
        EventDescription(SightingCorrected.type, "Some of it was changed.", by: "correct, importRecord"),
        EventDescription(
            SightingGeoprivacyNarrowed.type, "Less of its place may be seen.", by: "correct", .restriction),
        EventDescription(SightingGeoprivacyWidened.type, "More of its place may be seen.", by: "correct"),
        EventDescription(
            SightingWithdrawn.type, "It was taken back.", by: "withdraw, withdrawImport",
            .either("restriction when the reason is privacy")),
        PayloadRedacted.description,
    ]

    /// The event's name in the log.
    package var type: String {
        switch self {
        case .submitted: SightingSubmitted.type
        case .imported: SightingImported.type
        case .corrected: SightingCorrected.type
        case .geoprivacyNarrowed: SightingGeoprivacyNarrowed.type
        case .geoprivacyWidened: SightingGeoprivacyWidened.type
        case .withdrawn: SightingWithdrawn.type
        case .payloadRedacted: PayloadRedacted.type
        case .redacted(let event): event.type
        }
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        switch self {
        case .submitted(let payload): payload.write(fields: &writer)
        case .imported(let payload): payload.write(fields: &writer)
        case .corrected(let payload): payload.write(fields: &writer)
        case .geoprivacyNarrowed(let payload): payload.write(fields: &writer)
        case .geoprivacyWidened(let payload): payload.write(fields: &writer)
        case .withdrawn(let payload): payload.write(fields: &writer)
        case .payloadRedacted(let payload): payload.write(fields: &writer)
        case .redacted(let event): event.write(fields: &writer)
        }
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        guard Self.table.contains(where: { $0.type == reader.type }) else { throw .unknownType(reader.type) }
        if let event = try RedactedEvent(reader) {
            self = .redacted(event)
            return
        }
        switch reader.type {
        case SightingSubmitted.type: self = .submitted(try SightingSubmitted(reader))
        case SightingImported.type: self = .imported(try SightingImported(reader))
        case SightingCorrected.type: self = .corrected(try SightingCorrected(reader))
        case SightingGeoprivacyNarrowed.type: self = .geoprivacyNarrowed(try SightingGeoprivacyNarrowed(reader))
        case SightingGeoprivacyWidened.type: self = .geoprivacyWidened(try SightingGeoprivacyWidened(reader))
        case SightingWithdrawn.type: self = .withdrawn(try SightingWithdrawn(reader))
        case PayloadRedacted.type: self = .payloadRedacted(try PayloadRedacted(reader))
        default: throw .unknownType(reader.type)
        }
    }
}
