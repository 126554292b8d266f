package import Domain

/// A sighting as a request asks for it, value by value checked, before anything was looked up.
package struct SightingDraft: Sendable {
    /// The taxon by its id.
    package var taxon: TaxonID?
    /// Or a name as typed.
    package var name: VerbatimName?
    /// nil: present, not counted.
    package var count: IndividualCount?
    /// How sure the observer is.
    package var confidence: Confidence
    /// When it was seen.
    package var observedAt: ObservationTime
    /// Where it was seen.
    package var coordinate: Coordinate
    /// How far from there it may have been, in metres; nil for unknown.
    package var uncertainty: UncertaintyMetres?
    /// What the observer writes beside it.
    package var notes: Note?
    /// nil: the account's.
    package var licence: Licence?
    /// nil: the account's.
    package var geoprivacy: Geoprivacy?
    /// Whether it is kept or planted by people.
    package var captive = false
    /// The visit it belongs to, with its effort.
    package var visit: Visit?
    /// How the observer was looking.
    package var surveyProtocol: SurveyProtocol?
    /// Whether a name that fits no taxon is refused, and not kept as unidentified.
    package var isStrict = false

    /// Puts the required parts together; the others are set afterwards.
    package init(confidence: Confidence, observedAt: ObservationTime, coordinate: Coordinate) {
        self.confidence = confidence
        self.observedAt = observedAt
        self.coordinate = coordinate
    }

    /// The request in its one form: equal drafts give equal bytes.
    var canonical: [UInt8] {
        var writer = PayloadWriter()
        writer.object { writer in
            writer.field("taxon", taxon)
            writer.field("count", count)
            writer.field("confidence", confidence)
            writer.field("observedAt", observedAt)
            writer.field("latitude", number: coordinate.latitude)
            writer.field("longitude", number: coordinate.longitude)
            writer.field("uncertaintyMetres", uncertainty)
            writer.field("licence", licence)
            writer.field("geoprivacy", geoprivacy)
            writer.field("captive", captive)
            writer.field("visit", visit)
            writer.field("protocol", surveyProtocol)
        }
        return writer.bytes + CanonicalText.bytes(of: [name?.text, notes?.text])
    }
}

/// What a merge patch asks of a sighting: absent, a value, or null.
package struct SightingPatch: Sendable {
    /// The taxon; null for unidentified.
    package var taxon: Change<TaxonID> = .unset
    /// The name as typed, instead of a taxon.
    package var name: Change<VerbatimName> = .unset
    /// How many there were; null for present, not counted.
    package var count: Change<IndividualCount> = .unset
    /// How sure the observer is.
    package var confidence: Confidence?
    /// When it was seen.
    package var observedAt: ObservationTime?
    /// Degrees; the other one of the pair stays where only one is given.
    package var latitude: Double?
    /// Degrees, positive to the east; as for ``latitude``.
    package var longitude: Double?
    /// How far from the place it may have been, in metres; null for unknown.
    package var uncertainty: Change<UncertaintyMetres> = .unset
    /// What the observer writes beside it; null for nothing.
    package var notes: Change<Note> = .unset
    /// The licence it is given under.
    package var licence: Licence?
    /// How exactly its place may be shown.
    package var geoprivacy: Geoprivacy?
    /// Whether it is kept or planted by people.
    package var captive: Bool?
    /// The visit it belongs to, with its effort; null for none.
    package var visit: Change<Visit> = .unset
    /// How the observer was looking.
    package var surveyProtocol: SurveyProtocol?
    /// Whether a name that fits no taxon is refused, and not kept as unidentified.
    package var isStrict = false

    /// A patch that changes nothing yet.
    package init() {}

    var canonical: [UInt8] {
        var writer = PayloadWriter()
        writer.object { writer in
            writer.field("taxon", taxon)
            writer.field("count", count)
            writer.field("confidence", confidence)
            writer.field("observedAt", observedAt)
            if let latitude { writer.field("latitude", number: latitude) }
            if let longitude { writer.field("longitude", number: longitude) }
            writer.field("uncertaintyMetres", uncertainty)
            writer.field("licence", licence)
            writer.field("geoprivacy", geoprivacy)
            writer.field("captive", captive)
            writer.field("visit", visit)
            writer.field("protocol", surveyProtocol)
        }
        return writer.bytes + CanonicalText.bytes(of: name.map(\.text)) + CanonicalText.bytes(of: notes.map(\.text))
    }
}

/// Typed text in the canonical form of a request: told apart from its absence, and from its neighbours by its length.
enum CanonicalText {
    static func bytes(of texts: [String?]) -> [UInt8] {
        texts.flatMap { text in Array((text.map { "\($0.utf8.count):\($0)" } ?? "-").utf8) }
    }

    static func bytes(of change: Change<String>) -> [UInt8] {
        switch change {
        case .unset: Array("-".utf8)
        case .cleared: Array("0".utf8)
        case .set(let text): bytes(of: [text])
        }
    }
}
