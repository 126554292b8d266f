package import Domain

/// The values of a request, each checked on its own, before anything is looked up: a submission, or a merge
/// patch of a sighting.
package struct SightingRequest: Sendable {
    /// The taxon; cleared for unidentified.
    package var taxon: Change<TaxonID> = .unset
    /// The target that a submission names instead of a taxon, which it supplies, and nothing else.
    package var target: TargetID?
    /// The name as typed, instead of a taxon.
    package var name: Change<VerbatimName> = .unset
    package var notes: Change<Note> = .unset
    /// As given. The zone in which a date is meant is that of the place, and is looked up later.
    package var observedAt: ObservationTime?
    /// Degrees north. In a patch one of the pair may be missing, and stays unchanged.
    package var latitude: Double?
    /// Degrees east; as for ``latitude``.
    package var longitude: Double?
    /// All other details. An unset one of a submission is the account's default, or unknown.
    package var changes = SightingChanges()
    /// The SHA-256 of photos that will follow a submission.
    package var awaitedPhotos: [Fingerprint] = []
    /// Whether a name that matches no taxon is rejected, instead of recorded as unidentified.
    package var isStrict = false

    package init() {}

    /// The form by whose fingerprint a repeated request is recognised: equal requests give equal bytes, also after an
    /// upgrade. So a new member is written only where it is present, and the others stay as they are.
    var canonical: CanonicalText {
        let members = CanonicalText { writer in
            writer.field("taxon", taxon)
            writer.field("count", changes.count)
            writer.field("confidence", changes.confidence)
            writer.field("observedAt", observedAt)
            if let latitude { writer.field("latitude", number: latitude) }
            if let longitude { writer.field("longitude", number: longitude) }
            writer.field("uncertaintyMetres", changes.uncertainty)
            writer.field("licence", changes.licence)
            writer.field("geoprivacy", changes.geoprivacy)
            writer.field("captive", changes.captive)
            writer.field("visit", changes.visit)
            writer.field("protocol", changes.surveyProtocol)
            writer.field("awaitedPhotos", awaitedPhotos)
            if let target { writer.field("target", target) }
        }
        return members + CanonicalText(name.map(\.typed)) + CanonicalText(notes.map(\.typed))
    }
}
