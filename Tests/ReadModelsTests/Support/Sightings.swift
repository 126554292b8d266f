import FoundationEssentials

/// Events of sightings with just what a query test cares about.
enum Sightings {
    static func submitted(
        _ id: UUID = UUID(), by observer: UUID, taxon: UUID? = nil, day: String = "2026-05-01",
        latitude: Double = 47.25,
        longitude: Double = -122.45, sensitivity: Int? = nil, geoprivacy: String = "open", region: String? = nil,
        borderRegion: String? = nil, regionCell: Int? = nil, visit: JSONText? = nil
    ) -> GeneratedEvent {
        var members: [String: JSONText] = [
            "observer": .id(observer), "confidence": 8, "observed": observed(day), "latitude": .number(latitude),
            "longitude": .number(longitude), "place": place(region, at: borderRegion, regionCell), "captive": false,
            "licence": "CC-BY-4.0", "geoprivacy": .text(geoprivacy), "protocol": "incidental",
        ]
        if let taxon { members["taxon"] = .id(taxon) }
        if let sensitivity { members["sensitivity"] = .number(sensitivity) }
        if let visit { members["visit"] = visit }
        return GeneratedEvent(id, "sighting", "SightingSubmitted", members)
    }

    static func imported(
        _ id: UUID = UUID(), into dataset: UUID, batch: UUID, taxon: UUID? = nil, latitude: Double = 47.25,
        longitude: Double = -122.45
    ) -> GeneratedEvent {
        var members: [String: JSONText] = [
            "dataset": .id(dataset), "batch": .id(batch), "observed": observed("2020-06-01"),
            "latitude": .number(latitude), "longitude": .number(longitude),
            "place": ["basis": "none", "polygons": "ne-50m-v1"], "captive": false,
            "occurrence": .text(String(repeating: "ab", count: 16)), "content": .array(["record"]),
        ]
        if let taxon { members["taxon"] = .id(taxon) }
        return GeneratedEvent(id, "sighting", "SightingImported", members)
    }

    static func corrected(_ id: UUID, _ members: [String: JSONText]) -> GeneratedEvent {
        GeneratedEvent(id, "sighting", "SightingCorrected", members)
    }

    static func withdrawn(_ id: UUID, _ reason: String) -> GeneratedEvent {
        GeneratedEvent(id, "sighting", "SightingWithdrawn", ["reason": .text(reason)])
    }

    static func taxon(
        _ id: UUID, parent: UUID? = nil, kind: String = "bird", rank: String = "species"
    ) -> GeneratedEvent {
        var members: [String: JSONText] = ["scientificName": "Aus bus", "rank": .text(rank), "kind": .text(kind)]
        if let parent { members["parent"] = .id(parent) }
        return GeneratedEvent(id, "taxon", "TaxonAdded", members)
    }

    /// - Parameter cell: the decimals of the largest cell around the place that lies in the region.
    static func place(_ region: String?, at border: String? = nil, _ cell: Int? = nil) -> JSONText {
        guard let region else { return ["basis": "none", "polygons": "dcw-1m-v1"] }
        var members: [String: JSONText] = [
            "region": .text(region), "basis": border == nil ? "inside" : "border", "polygons": "dcw-1m-v1",
        ]
        if let border { members["borderRegion"] = .text(border) }
        if let cell { members["regionCell"] = .number(cell) }
        return .object(members)
    }

    private static func observed(_ day: String) -> JSONText {
        [
            "value": .text(day), "precision": "day", "zone": "UTC", "from": .text("\(day)T00:00:00Z"),
            "to": .text("\(day)T23:59:59Z"), "localFrom": .text(day), "localTo": .text(day),
        ]
    }
}

extension JSONText: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONText)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
}
