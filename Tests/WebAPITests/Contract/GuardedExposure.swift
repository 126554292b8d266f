import Domain
import JSON

/// How much a member or a filter reveals of a guarded record or photo.
enum GuardedExposure: Hashable {
    /// Always one of these few values.
    case only([JSONValue])
    /// More, and `docs/privacy.md` names this member among what is public.
    case named(String)

    static let null = GuardedExposure.only([.null])
    static func words(_ words: String...) -> GuardedExposure { .only(words.map(JSONValue.string)) }

    /// Every member of every guarded thing, in all public representations; one that ends in a point stands for whatever
    /// is below it. Which of them may change is a decision about privacy: add none here without one.
    static let members: [String: GuardedExposure] = [
        "sighting.id": .named("id"), "sighting.taxon.": .named("taxon"), "sighting.verbatimName": .null,
        "sighting.count": .null, "sighting.countRange": .only([.null, .string("1"), .string("2-10"), .string("11+")]),
        "sighting.confidence": .null, "sighting.observedAt": .named("observedAt"),
        "sighting.observedFrom": .named("observedFrom"), "sighting.observedTo": .named("observedTo"),
        "sighting.latitude": .named("latitude"), "sighting.longitude": .named("longitude"),
        "sighting.uncertaintyMetres": .named("uncertaintyMetres"),
        "sighting.coordinatePrecision": .only([.null, .number(0.1)]), "sighting.state": .named("state"),
        "sighting.region": .named("region"), "sighting.country": .named("country"),
        "sighting.status": .words("pending", "approved", "accepted-by-source"),
        "sighting.captive": .only([.boolean(true), .boolean(false)]),
        "sighting.licence": .words("CC0-1.0", "CC-BY-4.0", "CC-BY-NC-4.0"), "sighting.observer": .null,
        "sighting.dataset": .named("dataset"), "sighting.notes": .null, "sighting.protocol": .null,
        "sighting.photos": .only([.array([])]), "sighting.recordedOn": .null,

        "notice.id": .named("id"), "notice.taxon.": .named("taxon"), "notice.status": .words("withdrawn", "rejected"),
        "notice.reason": .only(
            (["mistake"] + SightingReason.allCases.map(\.rawValue)).map(JSONValue.string)),
        "notice.observedAt": .named("observedAt"), "notice.recordedOn": .null,
        "notice.endedOn": .null,

        "history.subject": .words("sighting"), "history.photoId": .null,
        "history.kind": .only(HistoryKind.allCases.map { .string($0.rawValue) }), "history.version": .null,
        "history.recordedOn": .null, "history.by": .words("owner", "moderator", "importer"),
        "history.reason": .only([.null, .string("mistake")]), "history.changes.field": .named("changes"),
        "history.changes.before": .null, "history.changes.after": .named("changes"),

        "map.type": .words("Feature"), "map.id": .named("id"), "map.geometry.type": .words("Point"),
        "map.geometry.coordinates": .named("latitude"), "map.properties.records": .only([.integer(1)]),
        "map.properties.status": .words("pending", "approved", "accepted-by-source"),
        "map.properties.observedAt": .named("observedAt"), "map.properties.count": .null,
        "map.properties.countRange": .only([.null, .string("1"), .string("2-10"), .string("11+")]),
        "map.properties.uncertaintyMetres": .named("uncertaintyMetres"), "map.properties.taxon.": .named("taxon"),

        "photo.id": .named("id"), "photo.sightingId": .null, "photo.taxonId": .named("taxon"), "photo.width": .null,
        "photo.height": .null, "photo.altText": .null,
        "photo.licence": .words("CC0-1.0", "CC-BY-4.0", "CC-BY-NC-4.0"), "photo.credit": .null,
        "photo.publishedOn": .named("publishedOn"), "photo.urls.": .named("id"),
    ]

    /// The public routes that return guarded things, with the parameters that select among them.
    static let filters: [String: [String: GuardedExposure]] = [
        "GET /v1/sightings/{id}": ["asOf": .named("asOf")],
        "GET /v1/sightings/{id}/history": ["asOf": .named("asOf")],
        "GET /v1/sightings": records.merging(
            ["taxon": .named("taxon"), "limit": .named("id"), "after": .named("id")]) { $1 },
        "GET /v1/sightings/count": records.merging(["taxon": .named("taxon")]) { $1 },
        "GET /v1/exports/{id}/errata": ["limit": .named("id"), "after": .named("id"), "asOf": .named("asOf")],
        "GET /v1/exports/{id}/diff": ["with": .named("id"), "limit": .named("id"), "after": .named("id")],
        "GET /v1/taxa/{id}/map": records.merging(["zoom": .named("latitude")]) { $1 },
        "GET /v1/taxa/{id}/ranges": records.merging(
            [
                "period": .named("observedFrom"), "end": .named("latitude"), "cellKm": .named("latitude"),
                "prompted": .null,
            ]) { $1 },
        "GET /v1/taxa/{id}/trend": records.merging(
            [
                "period": .named("observedFrom"), "end": .named("latitude"), "metric": .named("latitude"),
                "cellKm": .named("latitude"), "prompted": .null,
            ]) { $1 },
        "GET /v1/taxa/{id}/totals": ["asOf": .named("asOf")],
        "GET /v1/regions/{code}/ranges": species.merging(
            ["end": .named("latitude"), "limit": .named("id"), "after": .named("id")]) { $1 },
        "GET /v1/regions/{code}/species": species,
        "GET /v1/exports/{id}/data": ["revision": .null],
        // Neither a region nor a day selects photos: see `GuardedTableTests`.
        "GET /v1/photos/{id}": ["asOf": .null], "GET /v1/photos/{id}/{rendition}": [:],
        "GET /v1/taxa/{id}/gallery": [
            "kind": .named("taxon"), "region": .null, "limit": .named("id"), "after": .named("id"),
            "asOf": .null,
        ],
    ]

    /// The filters of lists, counts and maps of records. `minConfidence` finds no guarded record, and `hasPhoto` takes
    /// all for records without a photo.
    private static let records: [String: GuardedExposure] = [
        "kind": .named("taxon"), "region": .named("region"), "state": .named("state"), "country": .named("country"),
        "bbox": .named("latitude"), "from": .named("observedFrom"), "to": .named("observedTo"),
        "status": .words("pending", "approved", "accepted-by-source"), "minConfidence": .null,
        "maxUncertaintyMetres": .named("uncertaintyMetres"), "hasPhoto": .only([.boolean(false)]),
        "captive": .only([.boolean(true), .boolean(false)]), "dataset": .named("dataset"), "asOf": .named("asOf"),
    ]

    /// The filters of the species of a region.
    private static let species: [String: GuardedExposure] = [
        "kind": .named("taxon"), "from": .named("observedFrom"), "to": .named("observedTo"), "asOf": .named("asOf"),
    ]

    /// The public routes that return none.
    static let routesWithout: Set<String> = [
        "GET /v1/observers/{id}/gallery", "GET /v1/taxa", "GET /v1/taxa/{id}", "GET /v1/regions", "GET /v1/targets",
        "GET /v1/targets/history", "GET /v1/reasons", "GET /v1/about", "GET /v1/log", "GET /v1/stats/moderation",
        "GET /v1/exports/{id}", "GET /v1/exports/{id}/manifest", "GET /v1/exports/{id}/CITATION.cff",
        "GET /v1/exports/{id}/citation.bib", "GET /v1/exports/{id}/datacite.json",
    ]
}
