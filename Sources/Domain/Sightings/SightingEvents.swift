/// The events of a sighting's stream, whether it was submitted or imported.
package enum SightingEvent: Equatable, Sendable {
    case submitted(SightingSubmitted)
    case imported(SightingImported)
    case corrected(SightingCorrected)
    case geoprivacyNarrowed(SightingGeoprivacyNarrowed)
    case geoprivacyWidened(SightingGeoprivacyWidened)
    case withdrawn(SightingWithdrawn)
    case approved(SightingApproved)
    case rejected(SightingRejected)
    case secondOpinionAsked(SightingSecondOpinionAsked)
    case reopened(SightingReopened)
    case questionAsked(SightingQuestionAsked)
    case answered(SightingAnswered)
    case appealed(SightingAppealed)
    case identified(SightingIdentified)
    case hidden(SightingHidden)
    case unhidden(SightingUnhidden)
    case released(SightingReleased)
    case flagged(SightingFlagged)
    case photosOrdered(SightingPhotosOrdered)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension SightingEvent: DomainEvent {
    package static let stream = StreamKind.sighting

    package static let table: [EventEntry<Self>] = [
        EventEntry(
            submitted, "An observer submitted a sighting.", by: "submit",
            history: .submitted, status: SightingStatus.pending, isComplete: true),
        EventEntry(
            imported, "A row of a dataset became a record, or its withdrawn record was restored.",
            by: "importRecord, undoImport",
            history: .imported, status: SightingStatus.acceptedBySource, isComplete: true),
        EventEntry(
            corrected, "Some values of the sighting were changed, or restored to those before an import.",
            by: "correct, importRecord, amend, undoImport", history: .corrected),
        EventEntry(
            geoprivacyNarrowed, "Less of its place may be shown.", by: "correct", .restriction,
            history: .geoprivacyChanged),
        EventEntry(
            geoprivacyWidened, "More of its place may be shown.", by: "correct", history: .geoprivacyChanged),
        EventEntry(
            withdrawn, "The sighting was withdrawn.", by: "withdraw, withdrawImport, undoImport",
            .either("restriction when the reason is privacy"), history: .withdrawn,
            status: SightingStatus.withdrawn),
        EventEntry(
            approved, "A moderator approved the sighting, or its approval was restored.",
            by: "judge, restore, undoImport", history: .approved,
            status: SightingStatus.approved),
        EventEntry(
            rejected, "A moderator rejected the sighting, or the row of a rejected record came back.",
            by: "judge, restore, importRecord, undoImport", history: .rejected,
            status: SightingStatus.rejected),
        EventEntry(
            secondOpinionAsked, "A moderator would reject the sighting; another one has to agree.", by: "judge",
            history: .secondOpinionAsked, isEssential: false),
        EventEntry(
            reopened, "The sighting is to be reviewed again.",
            by: "judge, restore, correct, importRecord, identify, undoImport", history: .reopened,
            status: SightingStatus.pending),
        EventEntry(
            questionAsked, "A moderator put a question to the observer.", by: "judge", history: .questionAsked,
            isEssential: false),
        EventEntry(
            answered, "The observer answered a question.", by: "answer", history: .answered, isEssential: false),
        EventEntry(
            appealed, "The observer appealed against a rejection.", by: "appeal", history: .appealed,
            isEssential: false),
        EventEntry(
            identified, "The observer or a moderator identified the sighting.", by: "identify",
            history: .identified),
        EventEntry(
            hidden, "A moderator hid texts of the sighting.", by: "hide", .restriction, history: .hidden),
        EventEntry(unhidden, "A moderator showed the hidden texts again.", by: "hide", history: .unhidden),
        EventEntry(
            released, "A moderator lowered the sensitivity that the sighting inherits.", by: "release",
            history: .released),
        EventEntry(
            flagged, "An account says that something is wrong with the sighting.", by: "flag", history: .flagged,
            isEssential: false),
        EventEntry(
            photosOrdered, "The observer put its photos in order.", by: "orderPhotos", history: .photosOrdered,
            isEssential: false),
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
        case .approved(let payload): payload
        case .rejected(let payload): payload
        case .secondOpinionAsked(let payload): payload
        case .reopened(let payload): payload
        case .questionAsked(let payload): payload
        case .answered(let payload): payload
        case .appealed(let payload): payload
        case .identified(let payload): payload
        case .hidden(let payload): payload
        case .unhidden(let payload): payload
        case .released(let payload): payload
        case .flagged(let payload): payload
        case .photosOrdered(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}
