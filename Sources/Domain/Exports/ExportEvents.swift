/// The events of an export.
package enum ExportEvent: Equatable, Sendable {
    case requested(ExportRequested)
    case joined(ExportJoined)
    case left(ExportLeft)
    case cancelled(ExportCancelled)
    case failed(ExportFailed)
    case reopened(ExportReopened)
    case made(ExportMade)
    case restricted(ExportRestricted)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension ExportEvent: DomainEvent {
    package static let stream = StreamKind.export

    package static let table: [EventEntry<Self>] = [
        EventEntry(requested, "An account asked for an export.", by: "request", isComplete: true),
        EventEntry(joined, "Another account asked for the same export.", by: "request"),
        EventEntry(left, "An account of several no longer asks for the export.", by: "leave"),
        EventEntry(cancelled, "The last account that asked for an unfinished export cancelled it.", by: "leave"),
        EventEntry(failed, "The export could not be made.", by: "fail"),
        EventEntry(reopened, "An account asked again for an export that was cancelled or had failed.", by: "request"),
        EventEntry(made, "A revision of the export was made.", by: "make"),
        EventEntry(
            restricted, "A restriction, or the turn of a month, touched a revision of the export.", by: "restrict"),
        .redaction(payloadRedacted),
    ]

    package var body: any EventBody {
        switch self {
        case .requested(let payload): payload
        case .joined(let payload): payload
        case .left(let payload): payload
        case .cancelled(let payload): payload
        case .failed(let payload): payload
        case .reopened(let payload): payload
        case .made(let payload): payload
        case .restricted(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}
