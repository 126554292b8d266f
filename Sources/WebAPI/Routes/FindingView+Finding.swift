internal import Domain
internal import FoundationEssentials
internal import Service

extension FindingView {
    /// A sighting for its owner.
    init(_ finding: Finding, suggestions: [Domain.TaxonSummary] = []) {
        let record = finding.record
        self.init(
            id: finding.id.uuid, observedAt: record.observed.value.description, observedFrom: record.observed.from,
            observedTo: record.observed.to, latitude: record.coordinate.latitude,
            longitude: record.coordinate.longitude, regionBasis: record.place.basis.rawValue,
            status: finding.status.rawValue, captive: record.captive,
            licence: (record.licence ?? .by).rawValue, geoprivacy: (record.geoprivacy ?? .open).rawValue,
            surveyProtocol: (record.surveyProtocol ?? .incidental).rawValue, version: finding.version,
            position: finding.position, recordedAt: Instant(finding.createdAt))
        taxon = finding.taxon.map(TaxonReference.init)
        verbatimName = finding.verbatimName
        count = record.count?.value
        confidence = record.confidence?.value
        uncertaintyMetres = record.uncertainty?.value
        state = record.place.state?.text
        region = record.place.region?.text
        regionDistanceMetres = record.place.distanceMetres
        notes = finding.notes
        visit = record.visit.map(VisitView.init)
        promptedBy = record.promptedBy?.uuid
        self.suggestions = suggestions.isEmpty ? nil : suggestions.map(TaxonReference.init)
    }
}

extension TaxonReference {
    /// A taxon as other representations name it.
    init(_ summary: Domain.TaxonSummary) {
        self.init(
            id: summary.id.uuid, scientificName: summary.scientificName, commonName: summary.commonName,
            kind: summary.kind.rawValue)
    }
}

extension VisitView {
    /// An outing as representations show it.
    init(_ visit: Visit) {
        self.init(
            id: visit.id.uuid, startedAt: visit.startedAt, minutes: visit.minutes, distanceKm: visit.distanceKm,
            observers: visit.observers, complete: visit.complete)
    }
}
