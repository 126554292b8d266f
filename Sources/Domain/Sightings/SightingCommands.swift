/// What may be asked of a sighting.
package enum SightingCommand: Equatable, Sendable {
    case submit(SubmitSighting)
    case correct(CorrectSighting)
    case withdraw(WithdrawSighting)
    case importRecord(ImportSighting)
    case withdrawImport(WithdrawImport)
}

/// An observer sends a sighting in.
package struct SubmitSighting: Equatable, Sendable {
    /// The observer's account.
    package var observer: AccountID
    /// What it is said to be; nil for unidentified.
    package var identification: Identification?
    /// The name as it was typed, if one was.
    package var verbatimName: VerbatimName?
    /// How many; nil for present but not counted.
    package var count: IndividualCount?
    /// How sure the observer is.
    package var confidence: Confidence
    /// When.
    package var observed: ObservedInterval
    /// Where.
    package var location: Location
    /// How far the true place may be off.
    package var uncertainty: UncertaintyMetres?
    /// Whether it is kept or planted by people.
    package var captive = false
    /// Under which licence it is given.
    package var licence: Licence
    /// How much of its place may be seen.
    package var geoprivacy: Geoprivacy
    /// The outing it belongs to.
    package var visit: Visit?
    /// How the observer was looking.
    package var surveyProtocol = SurveyProtocol.incidental
    /// The targets that asked for this taxon then.
    package var promptedBy: TargetsID?
    /// Remarks.
    package var notes: Note?
    /// When the service received it.
    package var receivedAt: Instant

    /// Puts the required parts of a sighting together; the others are set afterwards.
    package init(
        observer: AccountID, identification: Identification?, confidence: Confidence, observed: ObservedInterval,
        location: Location, licence: Licence, geoprivacy: Geoprivacy, receivedAt: Instant
    ) {
        self.observer = observer
        self.identification = identification
        self.confidence = confidence
        self.observed = observed
        self.location = location
        self.licence = licence
        self.geoprivacy = geoprivacy
        self.receivedAt = receivedAt
    }
}

/// The observer changes some of a sighting. What is unset, or nil, stays; what equals the old value is no change.
package struct CorrectSighting: Equatable, Sendable {
    /// Who asks.
    package var observer: AccountID
    /// What it is said to be; cleared for unidentified.
    package var identification: Change<Identification> = .unset
    /// The name as it was typed.
    package var verbatimName: Change<VerbatimName> = .unset
    /// How many.
    package var count: Change<IndividualCount> = .unset
    /// How sure the observer is.
    package var confidence: Confidence?
    /// When. Another place may be in another zone, and then this must come with it.
    package var observed: ObservedInterval?
    /// Where.
    package var location: Location?
    /// How far the true place may be off.
    package var uncertainty: Change<UncertaintyMetres> = .unset
    /// Whether it is kept or planted by people.
    package var captive: Bool?
    /// Under which licence it is given.
    package var licence: Licence?
    /// How much of its place may be seen.
    package var geoprivacy: Geoprivacy?
    /// The outing it belongs to.
    package var visit: Change<Visit> = .unset
    /// How the observer was looking.
    package var surveyProtocol: SurveyProtocol?
    /// Remarks.
    package var notes: Change<Note> = .unset
    /// What is kept beside the log for this sighting now.
    package var kept: SightingContent
    /// When the service received the correction.
    package var receivedAt: Instant

    /// A correction that changes nothing yet.
    package init(observer: AccountID, kept: SightingContent, receivedAt: Instant) {
        self.observer = observer
        self.kept = kept
        self.receivedAt = receivedAt
    }
}

/// The texts that are kept beside the log for a sighting.
package struct SightingContent: Equatable, Sendable {
    /// Remarks.
    package var notes: Note?
    /// The name as it was typed.
    package var verbatimName: VerbatimName?

    /// Puts the texts together.
    package init(notes: Note? = nil, verbatimName: VerbatimName? = nil) {
        self.notes = notes
        self.verbatimName = verbatimName
    }
}

/// The observer takes a sighting back.
package struct WithdrawSighting: Equatable, Sendable {
    /// Why an observer may take a sighting back.
    package enum Reason: String, Vocabulary {
        case mistake, privacy
    }

    /// Who asks.
    package var observer: AccountID
    /// Why.
    package var reason: Reason

    /// Puts the request together.
    package init(observer: AccountID, reason: Reason) {
        self.observer = observer
        self.reason = reason
    }
}
