/// The events of a sighting's stream, whether it was submitted or imported.
package enum SightingEvent: Equatable, Sendable {
    case submitted(SightingSubmitted)
    case imported(SightingImported)
    case corrected(SightingCorrected)
    case geoprivacyNarrowed(SightingGeoprivacyNarrowed)
    case geoprivacyWidened(SightingGeoprivacyWidened)
    case withdrawn(SightingWithdrawn)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension SightingEvent: DomainEvent {
    package static let stream = StreamKind.sighting

    package static let table = [
        EventDescription(
            SightingSubmitted.type, "An observer sent a sighting in.", by: "submit",
            history: .submitted, status: .pending, isComplete: true),
        EventDescription(
            SightingImported.type, "A row of a dataset became a record, or came back as one.", by: "importRecord",
            history: .imported, status: .acceptedBySource, isComplete: true),
        EventDescription(
            SightingCorrected.type, "Some of it was changed.", by: "correct, importRecord", history: .corrected),
        EventDescription(
            SightingGeoprivacyNarrowed.type, "Less of its place may be seen.", by: "correct", .restriction,
            history: .geoprivacyChanged),
        EventDescription(
            SightingGeoprivacyWidened.type, "More of its place may be seen.", by: "correct",
            history: .geoprivacyChanged),
        EventDescription(
            SightingWithdrawn.type, "It was taken back.", by: "withdraw, withdrawImport",
            .either("restriction when the reason is privacy"), history: .withdrawn, status: .withdrawn),
        PayloadRedacted.description,
    ]

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

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        _ = try Self.description(of: reader.type)
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
