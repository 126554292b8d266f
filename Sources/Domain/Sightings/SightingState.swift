/// What a sighting's events add up to.
package struct SightingState: Aggregate {
    /// The sighting; nil while there is none, or when its first payload was redacted.
    package private(set) var record: SightingRecord?
    /// How far it has come; nil while there is no sighting.
    package private(set) var status: SightingStatus?
    /// Why it was withdrawn, while it is.
    package private(set) var withdrawal: WithdrawalReason?
    /// The most sensitive category of all its identifications, which no later one lowers.
    package private(set) var sensitivity: SensitivityCategory?
    /// Whether any of its payloads was redacted.
    package private(set) var isRedacted = false

    /// No sighting.
    package init() {}

    /// The sighting after one more event.
    package mutating func evolve(_ event: SightingEvent) {
        switch event {
        case .submitted(let payload):
            record = SightingRecord(payload)
            status = .pending
            note(payload.identification.sensitivity.value)
        case .imported(let payload):
            record = SightingRecord(payload, over: record)
            status = .acceptedBySource
            withdrawal = nil
            note(payload.identification.sensitivity.value)
        case .corrected(let payload):
            record?.apply(payload)
            note(payload.identification.sensitivity.value)
        case .geoprivacyNarrowed(let payload):
            record?.details.geoprivacy = payload.geoprivacy
        case .geoprivacyWidened(let payload):
            record?.details.geoprivacy = payload.geoprivacy
        case .withdrawn(let payload):
            if let batch = payload.batch { record?.batch = batch }
            status = .withdrawn
            withdrawal = payload.reason
        case .payloadRedacted:
            isRedacted = true
        case .redacted(let event):
            evolve(redacted: event.type)
        }
    }

    private mutating func note(_ category: SensitivityCategory?) {
        sensitivity = .mostSensitive(sensitivity, category)
    }

    /// What an event still says when only its type is left.
    private mutating func evolve(redacted type: String) {
        isRedacted = true
        guard let status = SightingEvent.table.first(where: { $0.type == type })?.status else { return }
        self.status = status
        // The reason of a withdrawal is lost; privacy shows least.
        withdrawal = status == .withdrawn ? .privacy : nil
    }
}

/// How far a sighting has come.
package enum SightingStatus: String, Vocabulary {
    /// Submitted, and not decided about.
    case pending
    case approved
    case rejected
    case withdrawn
    /// Imported: its source answers for it.
    case acceptedBySource = "accepted-by-source"
}

/// Why a sighting was withdrawn.
package enum WithdrawalReason: String, Vocabulary {
    /// Its observer says that it was wrong.
    case mistake
    /// Its observer does not want it known.
    case privacy
    /// Its row is no longer in the source.
    case vanished
    /// The import that brought it was undone.
    case undone

    /// Whether the withdrawal acts on answers about earlier positions too.
    package var isRestriction: Bool { self == .privacy }
}
