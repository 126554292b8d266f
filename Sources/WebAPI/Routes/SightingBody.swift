internal import Domain
internal import Service

// The bodies of submissions and corrections.

extension SightingDraft {
    /// Reads a submission.
    /// - Throws: `Faults`, all at once.
    /// - Parameter plausible: what is wrong with a time at a place, so that it is told with all other faults.
    init(
        _ node: JSONNode, isStrict: Bool, at place: String = "",
        plausible: (ObservationTime, Coordinate?) -> RuleViolation?
    ) throws(Faults) {
        var body = JSONObjectReader(node, at: place)
        let confidence = body.required("confidence", Int.self, Confidence.init(_:))
        let observedAt = body.required("observedAt", String.self, ObservationTime.init(_:))
        let coordinate = body.coordinate()
        let taxon = body.optional("taxonId", String.self, TaxonID.init(text:))
        let name = body.optional("name", String.self, VerbatimName.init(_:))
        if taxon != nil, name != nil {
            body.note("name", .besideTaxon)
        }
        if !body.contains("taxonId"), !body.contains("name") { body.note("name", .required) }
        if let observedAt, let violation = plausible(observedAt, coordinate) {
            body.note("observedAt", violation)
        }
        let rest = Self.Rest(&body)
        try body.finish()
        guard let confidence, let observedAt, let coordinate else { throw body.faults }
        self.init(confidence: confidence, observedAt: observedAt, coordinate: coordinate)
        self.taxon = taxon
        self.name = name
        self.isStrict = isStrict
        rest.fill(&self)
    }

    /// What does not depend on another member.
    private struct Rest {
        let count: IndividualCount?
        let uncertainty: UncertaintyMetres?
        let notes: Note?
        let licence: Licence?
        let geoprivacy: Geoprivacy?
        let captive: Bool?
        let visit: Visit?
        let surveyProtocol: SurveyProtocol?

        init(_ body: inout JSONObjectReader) {
            count = body.nullable("count", Int.self, IndividualCount.init(_:))
            uncertainty = body.optional("uncertaintyMetres", Double.self, UncertaintyMetres.init(_:))
            notes = body.optional("notes", String.self, Note.init(_:))
            licence = body.optional("licence", String.self, Licence.init(word:))
            geoprivacy = body.optional("geoprivacy", String.self, Geoprivacy.init(word:))
            captive = body.optional("captive", Bool.self)
            visit = body.object("visit") { $0.visit() }
            surveyProtocol = body.optional("protocol", String.self, SurveyProtocol.init(word:))
        }

        func fill(_ draft: inout SightingDraft) {
            draft.count = count
            draft.uncertainty = uncertainty
            draft.notes = notes
            draft.licence = licence
            draft.geoprivacy = geoprivacy
            draft.captive = captive ?? false
            draft.visit = visit
            draft.surveyProtocol = surveyProtocol
        }
    }
}

extension RuleViolation {
    fileprivate static var besideTaxon: RuleViolation { RuleViolation(.conflict, "must not stand beside taxonId") }
}

extension SightingPatch {
    /// Reads a merge patch.
    /// - Throws: `Faults`, all at once.
    init(_ node: JSONNode, isStrict: Bool) throws(Faults) {
        self.init()
        var body = JSONObjectReader(node)
        taxon = body.change("taxonId", String.self, TaxonID.init(text:))
        name = body.change("name", String.self, VerbatimName.init(_:))
        if body.contains("taxonId"), body.contains("name") { body.note("name", .besideTaxon) }
        count = body.change("count", Int.self, IndividualCount.init(_:))
        confidence = body.replacement("confidence", Int.self, Confidence.init(_:))
        observedAt = body.replacement("observedAt", String.self, ObservationTime.init(_:))
        latitude = body.replacement("latitude", Double.self, Coordinate.checkedLatitude)
        longitude = body.replacement("longitude", Double.self, Coordinate.checkedLongitude)
        uncertainty = body.change("uncertaintyMetres", Double.self, UncertaintyMetres.init(_:))
        notes = body.change("notes", String.self, Note.init(_:))
        licence = body.replacement("licence", String.self, Licence.init(word:))
        geoprivacy = body.replacement("geoprivacy", String.self, Geoprivacy.init(word:))
        captive = body.replacement("captive", Bool.self) { (value) throws(RuleViolation) in value }
        visit = body.objectChange("visit") { $0.visit() }
        surveyProtocol = body.replacement("protocol", String.self, SurveyProtocol.init(word:))
        self.isStrict = isStrict
        try body.finish()
    }
}

extension JSONObjectReader {
    /// Latitude and longitude; that the two together are a place is noted at the latitude.
    fileprivate mutating func coordinate() -> Coordinate? {
        let latitude = required("latitude", Double.self, Coordinate.checkedLatitude)
        let longitude = required("longitude", Double.self, Coordinate.checkedLongitude)
        guard let latitude, let longitude else { return nil }
        do throws(RuleViolation) {
            return try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            note("latitude", error)
            return nil
        }
    }

    fileprivate mutating func visit() -> Visit? {
        let id = required("id", String.self, VisitID.init(text:))
        let startedAt = required("startedAt", String.self, Instant.init(_:))
        let minutes = optional("minutes", Int.self)
        let distanceKm = optional("distanceKm", Double.self)
        let observers = optional("observers", Int.self)
        let complete = optional("complete", Bool.self)
        guard let id, let startedAt else { return nil }
        do throws(Faults) {
            return try Visit(
                id: id, startedAt: startedAt, minutes: minutes, distanceKm: distanceKm, observers: observers,
                complete: complete)
        } catch {
            for fault in error.all { note(String(fault.pointer.dropFirst()), RuleViolation(fault.code, fault.message)) }
            return nil
        }
    }
}
