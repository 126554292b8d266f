/// The events of the targets of one region and week.
package enum TargetsEvent: Equatable, Sendable {
    case planned(TargetsPlanned)
    case chosen(TargetsChosen)
    case missed(TargetsMissed)
    case replaced(TargetReplaced)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension TargetsEvent: DomainEvent {
    package static let stream = StreamKind.targets

    package static let table: [EventEntry<Self>] = [
        EventEntry(planned, "An admin fixed targets of a week that has not begun.", by: "plan"),
        EventEntry(chosen, "The targets of a region and week were chosen.", by: "choose", isComplete: true),
        EventEntry(missed, "A week passed in which no targets were chosen.", by: "miss", isComplete: true),
        EventEntry(replaced, "An admin replaced a target in its week.", by: "replace"),
        .redaction(payloadRedacted),
    ]

    package var body: any EventBody {
        switch self {
        case .planned(let payload): payload
        case .chosen(let payload): payload
        case .missed(let payload): payload
        case .replaced(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}
