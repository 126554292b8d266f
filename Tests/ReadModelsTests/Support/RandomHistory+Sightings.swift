import FoundationEssentials
import TestRandom

extension RandomHistory {
    /// An identification as the service records it: with the category it has then, its ancestors' included.
    private mutating func identification() -> [String: JSONText] {
        lastTaxon = random.isTrue(oneIn: 10) ? nil : taxa.randomElement(using: &random)
        guard let taxon = lastTaxon else {
            return ["taxon": .null, "qualifier": .null, "sensitivity": .null]
        }
        let category = ancestors(of: taxon).compactMap { categories[$0] }.min()
        return [
            "taxon": .id(taxon), "qualifier": random.isTrue(oneIn: 3) ? "cf" : .null,
            "sensitivity": category.map { .number($0) } ?? .null,
        ]
    }

    private mutating func observed() -> [String: JSONText] {
        let (year, month, day) = (random.int(in: 1900...2025), random.int(in: 1...12), random.int(in: 1...28))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(year)-\(two(month))-\(two(day))"
        func interval(_ value: String, _ precision: String, _ from: String, _ to: String) -> [String: JSONText] {
            [
                "observed": .object([
                    "value": .text(value), "precision": .text(precision), "zone": "Etc/GMT+8",
                    "from": .text(precision == "instant" ? "\(date)T15:30:00Z" : "\(from)T08:00:00Z"),
                    "to": .text(precision == "instant" ? "\(date)T15:30:00Z" : "\(to)T08:00:00Z"),
                    "localFrom": .text(from), "localTo": .text(to),
                ])
            ]
        }
        switch random.int(in: 0...4) {
        case 0: return interval(date, "day", date, date)
        case 1:
            return interval("\(year)-\(two(month))", "month", "\(year)-\(two(month))-01", "\(year)-\(two(month))-28")
        case 2: return interval("\(year)", "year", "\(year)-01-01", "\(year)-12-31")
        default: return interval("\(date)T07:30:00-08:00", "instant", date, date)
        }
    }

    private mutating func place() -> [String: JSONText] {
        let latitude = random.element(of: [random.double(in: -90...90), 47.3, 90, -90, random.double(in: 47...48)])
        let longitude = random.element(of: [
            random.double(in: -180...180), -0.001, 180, -180, random.double(in: -123 ... -122),
        ])
        var place: [String: JSONText] = ["basis": "none", "polygons": "ne-50m-v1"]
        if !random.isTrue(oneIn: 4) {
            place = [
                "state": "US-WA", "region": "pacific-northwest", "country": "US", "basis": "inside",
                "polygons": "ne-50m-v1",
            ]
            for area in ["stateCell", "regionCell", "countryCell"] where !random.isTrue(oneIn: 5) {
                place[area] = .number(random.int(in: 1...3))
            }
        }
        let uncertainty = random.element(of: [nil, 1, 25.5, 20_000])
        return [
            "latitude": .number(latitude), "longitude": .number(longitude), "place": .object(place),
            "uncertaintyMetres": uncertainty.map { .number($0) } ?? .null,
        ]
    }

    mutating func submission() -> GeneratedEvent {
        let id = random.uuid()
        let geoprivacy = random.element(of: ["open", "open", "open", "obscured", "private"])
        sightings.append(id)
        known[id] = Known(geoprivacy: geoprivacy)
        let observer = random.element(of: accounts)
        var members: [String: JSONText] = [
            "observer": .id(observer), "confidence": .number(random.int(in: 1...10)),
            "count": .number(random.int(in: 1...12)), "captive": captivity(), "licence": "CC-BY-4.0",
            "geoprivacy": .text(geoprivacy), "protocol": "incidental", "content": .array(["notes"]),
        ]
        for part in [identification(), place(), observed()] { members.merge(part) { $1 } }
        known[id]?.taxon = lastTaxon
        if random.isTrue(oneIn: 2) {
            members["visit"] = visit(of: observer, random.uuid())
        }
        if sightings.count.isMultiple(of: 4) { members["promptedBy"] = .id(id) }
        // The hash of every generated photo, and another one.
        if hasReviews, let photos = random.element(of: [nil, ["ab"], ["ab", "cd"]]) {
            members["awaitedPhotos"] = .array(photos.map { .text(String(repeating: $0, count: 32)) })
        }
        return GeneratedEvent(id, "sighting", "SightingSubmitted", members.filter { $0.value.text != "null" })
    }

    /// Most sightings of an account are of its last outing.
    private mutating func visit(of observer: UUID, _ new: UUID) -> JSONText {
        let number = sightings.count
        let id = number.isMultiple(of: 3) ? new : outings[observer] ?? new
        outings[observer] = id
        return [
            "id": .id(id), "startedAt": "2025-05-01T07:00:00Z", "minutes": .number(1 + number),
            "distanceKm": .number(0.5 * Double(number)), "observers": .number(1 + number % 3),
            "complete": JSONText(booleanLiteral: !number.isMultiple(of: 5)),
        ]
    }

    /// A record's first row, or with an id the one that brings it back: then what it no longer has is null.
    mutating func importation(_ dataset: UUID, again: UUID? = nil) -> GeneratedEvent {
        let id = again ?? random.uuid()
        if again == nil { sightings.append(id) }
        known[id] = Known(geoprivacy: "open", dataset: dataset)
        var members: [String: JSONText] = [
            "dataset": .id(dataset), "batch": .id(random.element(of: batches[dataset] ?? [])), "captive": captivity(),
            "count": 1, "occurrence": .text(String(repeating: "ab", count: 16)), "content": .array(["record"]),
            "licence": random.isTrue(oneIn: 3) ? .null : "CC0-1.0",
        ]
        for part in [identification(), place(), observed()] { members.merge(part) { $1 } }
        known[id]?.taxon = lastTaxon
        if random.isTrue(oneIn: 2) {
            members["recorder"] = .id(dataset)
            members["rowVisit"] = ["id": .id(dataset), "complete": true]
        }
        if again == nil { members = members.filter { $0.value.text != "null" } }
        return GeneratedEvent(id, "sighting", "SightingImported", members)
    }

    /// Whether a sighting is not withdrawn.
    func isLive(_ id: UUID) -> Bool { known[id]?.isLive ?? false }

    mutating func change(of id: UUID) -> [GeneratedEvent] {
        guard let sighting = known[id] else { return [] }
        guard sighting.isLive else {
            guard let dataset = sighting.dataset else {
                return random.isTrue(oneIn: 5) ? [withdrawal(of: id, ["privacy"])] : []
            }
            return random.isTrue(oneIn: 2) ? [importation(dataset, again: id)] : []
        }
        switch random.int(in: 0...9) {
        case 0...5: return [correction(of: id)]
        case 6 where sighting.dataset == nil && sighting.geoprivacy != "private":
            return [
                privacy(of: id, "SightingGeoprivacyNarrowed", sighting.geoprivacy == "open" ? "obscured" : "private")
            ]
        case 7 where sighting.dataset == nil && sighting.geoprivacy != "open":
            return [privacy(of: id, "SightingGeoprivacyWidened", random.element(of: ["open", "obscured"]))]
        case 8:
            return [withdrawal(of: id, sighting.dataset == nil ? ["mistake", "privacy"] : ["vanished", "privacy"])]
        default: return [random.isTrue(oneIn: 2) ? identification(of: id) : release(of: id)]
        }
    }

    private mutating func correction(of id: UUID) -> GeneratedEvent {
        let members: [String: JSONText] =
            switch random.int(in: 0...5) {
            case 0: ["count": random.isTrue(oneIn: 3) ? .null : 7]
            case 4: ["captive": captivity()]
            case 1: place()
            case 2: observed()
            case 3: ["content": .array(["notes"])]
            default: identification()
            }
        if members["taxon"] != nil { known[id]?.taxon = lastTaxon }
        return GeneratedEvent(id, "sighting", "SightingCorrected", members)
    }

    private mutating func identification(of id: UUID) -> GeneratedEvent {
        let by: [String: JSONText] = ["by": .id(random.element(of: accounts)), "isModerator": true]
        defer { known[id]?.taxon = lastTaxon }
        return GeneratedEvent(id, "sighting", "SightingIdentified", identification().merging(by) { $1 })
    }

    /// Sets the category of the present taxon, below which no release goes.
    private mutating func release(of id: UUID) -> GeneratedEvent {
        let category = known[id]?.taxon.flatMap { ancestors(of: $0).compactMap { categories[$0] }.min() }
        return GeneratedEvent(
            id, "sighting", "SightingReleased",
            [
                "moderator": .id(random.element(of: accounts)),
                "released": category.map { .number($0) } ?? .null,
            ])
    }

    private mutating func captivity() -> JSONText {
        random.isTrue(oneIn: 4) ? true : false
    }

    private mutating func privacy(of id: UUID, _ type: String, _ geoprivacy: String) -> GeneratedEvent {
        known[id]?.geoprivacy = geoprivacy
        return GeneratedEvent(id, "sighting", type, ["geoprivacy": .text(geoprivacy)])
    }

    private mutating func withdrawal(of id: UUID, _ reasons: [String]) -> GeneratedEvent {
        let batch = known[id]?.dataset.flatMap { batches[$0]?.last }
        known[id]?.isLive = false
        var members: [String: JSONText] = ["reason": .text(random.element(of: reasons))]
        if let batch { members["batch"] = .id(batch) }
        return GeneratedEvent(id, "sighting", "SightingWithdrawn", members)
    }
}
