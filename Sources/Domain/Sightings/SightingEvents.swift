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

    package static let table: [EventEntry<Self>] = [
        EventEntry(
            submitted, "An observer submitted a sighting.", by: "submit",
            history: .submitted, status: .pending, isComplete: true),
        EventEntry(
            imported, "A row of a dataset became a record, or its withdrawn record was restored.", by: "importRecord",
            history: .imported, status: .acceptedBySource, isComplete: true),
        EventEntry(
            corrected, "Some values of the sighting were changed.", by: "correct, importRecord", history: .corrected),
        EventEntry(
            geoprivacyNarrowed, "Less of its place may be shown.", by: "correct", .restriction,
            history: .geoprivacyChanged),
        EventEntry(
            geoprivacyWidened, "More of its place may be shown.", by: "correct", history: .geoprivacyChanged),
        EventEntry(
            withdrawn, "The sighting was withdrawn.", by: "withdraw, withdrawImport",
            .either("restriction when the reason is privacy"), history: .withdrawn, status: .withdrawn),
        .redaction(payloadRedacted),
    ]

    package var body: any EventBody {
        switch self {
        case .submitted(let payload): payload
        case .imported(let payload): payload
        case .corrected(let payload): payload
        case .geoprivacyNarrowed(let payload): payload
        case .geoprivacyWidened(let payload): payload
        case .withdrawn(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}
