/// A sighting as it stands now: what its payloads give when they are merged in order.
package struct SightingRecord: Equatable, Sendable {
    /// The observer's account; nil for imports.
    package internal(set) var observer: AccountID?
    /// The dataset; nil for submissions.
    package internal(set) var dataset: DatasetID?
    /// The import that touched it last.
    package internal(set) var batch: BatchID?
    /// The taxon; nil for unidentified.
    package internal(set) var taxon: TaxonID?
    /// What was said beyond the taxon.
    package internal(set) var qualifier: TaxonQualifier?
    /// The sensitivity of the present identification when it was made.
    package internal(set) var sensitivity: SensitivityCategory?
    /// How many.
    package internal(set) var count: IndividualCount?
    /// How sure the observer is; nil for imports.
    package internal(set) var confidence: Confidence?
    /// When.
    package internal(set) var observed: ObservedInterval
    /// Where.
    package internal(set) var coordinate: Coordinate
    /// How far the true place may be off.
    package internal(set) var uncertainty: UncertaintyMetres?
    /// What was found out about the place.
    package internal(set) var place: Place
    /// Whether it is kept or planted by people.
    package internal(set) var captive: Bool
    /// Under which licence it is given; nil where an import has none.
    package internal(set) var licence: Licence?
    /// How much of its place may be seen; nil for imports, which are open.
    package internal(set) var geoprivacy: Geoprivacy?
    /// The outing it belongs to.
    package internal(set) var visit: Visit?
    /// How the observer was looking; nil for imports.
    package internal(set) var surveyProtocol: SurveyProtocol?
    /// The targets that asked for this taxon then.
    package internal(set) var promptedBy: TargetsID?
    /// The fingerprint of the row's content; nil for submissions.
    package internal(set) var occurrence: Fingerprint?

    /// What it is said to be.
    package var identification: Identification? {
        taxon.map { Identification(taxon: $0, qualifier: qualifier, sensitivity: sensitivity) }
    }
}

extension SightingRecord {
    init(_ event: SightingSubmitted) {
        observer = event.observer
        taxon = event.taxon
        qualifier = event.qualifier
        sensitivity = event.sensitivity
        count = event.count
        confidence = event.confidence
        observed = event.observed
        coordinate = event.coordinate
        uncertainty = event.uncertainty
        place = event.place
        captive = event.captive
        licence = event.licence
        geoprivacy = event.geoprivacy
        visit = event.visit
        surveyProtocol = event.surveyProtocol
        promptedBy = event.promptedBy
    }

    /// A record from its row, over what it was before it had left, if it had.
    init(_ event: SightingImported, before record: SightingRecord?) {
        dataset = event.dataset
        batch = event.batch
        taxon = event.taxon.applied(to: record?.taxon)
        qualifier = event.qualifier.applied(to: record?.qualifier)
        sensitivity = event.sensitivity.applied(to: record?.sensitivity)
        count = event.count.applied(to: record?.count)
        observed = event.observed
        coordinate = event.coordinate
        uncertainty = event.uncertainty.applied(to: record?.uncertainty)
        place = event.place
        captive = event.captive
        licence = event.licence.applied(to: record?.licence)
        occurrence = event.occurrence
    }

    mutating func apply(_ event: SightingCorrected) {
        taxon = event.taxon.applied(to: taxon)
        qualifier = event.qualifier.applied(to: qualifier)
        sensitivity = event.sensitivity.applied(to: sensitivity)
        count = event.count.applied(to: count)
        confidence = event.confidence ?? confidence
        observed = event.observed ?? observed
        coordinate = event.coordinate ?? coordinate
        uncertainty = event.uncertainty.applied(to: uncertainty)
        place = event.place ?? place
        captive = event.captive ?? captive
        licence = event.licence.applied(to: licence)
        visit = event.visit.applied(to: visit)
        surveyProtocol = event.surveyProtocol ?? surveyProtocol
        occurrence = event.occurrence ?? occurrence
        batch = event.batch ?? batch
    }
}
