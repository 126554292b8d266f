/// The events of a photo's stream.
package enum PhotoEvent: Equatable, Sendable {
    case uploaded(PhotoUploaded)
    case described(PhotoDescribed)
    case approved(PhotoApproved)
    case rejected(PhotoRejected)
    case reopened(PhotoReopened)
    case hidden(PhotoHidden)
    case unhidden(PhotoUnhidden)
    case flagged(PhotoFlagged)
    case rendered(PhotoRendered)
    case deleted(PhotoDeleted)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension PhotoEvent: DomainEvent {
    package static let stream = StreamKind.photo

    package static let table: [EventEntry<Self>] = [
        EventEntry(
            uploaded, "An observer added a photo to a sighting.", by: "upload", status: PhotoStatus.pending,
            isComplete: true),
        EventEntry(described, "Its alternative text or its licence changed.", by: "describe", isEssential: false),
        EventEntry(
            approved, "A moderator approved the photo.", by: "judge, restore", history: .approved,
            status: PhotoStatus.approved, isEssential: false),
        EventEntry(
            rejected, "A moderator rejected the photo.", by: "judge, restore", history: .rejected,
            status: PhotoStatus.rejected, isEssential: false),
        EventEntry(
            reopened, "The photo is to be reviewed again.", by: "judge, restore", history: .reopened,
            status: PhotoStatus.pending, isEssential: false),
        EventEntry(
            hidden, "A moderator hid the photo.", by: "hide, judge", .restriction, history: .hidden,
            isEssential: false),
        EventEntry(
            unhidden, "A moderator showed the photo again.", by: "unhide, restore", history: .unhidden,
            isEssential: false),
        EventEntry(
            flagged, "An account says that something is wrong with the photo.", by: "flag", history: .flagged,
            isEssential: false),
        EventEntry(rendered, "Its renditions were made again.", by: "render", isEssential: false),
        EventEntry(
            deleted, "Its owner deleted the photo.", by: "delete", .restriction, status: PhotoStatus.deleted,
            isEssential: false),
        .redaction(payloadRedacted),
    ]

    package var body: any EventBody {
        switch self {
        case .uploaded(let payload): payload
        case .described(let payload): payload
        case .approved(let payload): payload
        case .rejected(let payload): payload
        case .reopened(let payload): payload
        case .hidden(let payload): payload
        case .unhidden(let payload): payload
        case .flagged(let payload): payload
        case .rendered(let payload): payload
        case .deleted(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}
