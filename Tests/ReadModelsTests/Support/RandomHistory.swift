import FoundationEssentials
import TestRandom
import TestSupport

/// Makes valid histories of all kinds of events, with more corrections, withdrawals, moves of taxa and
/// changes of sensitivity than in real use.
struct RandomHistory {
    private struct Known {
        var geoprivacy: String
        var dataset: UUID?
        /// The taxon that it is identified as.
        var taxon: UUID?
        var isLive = true
    }

    var random: RandomSource
    private(set) var accounts: [UUID] = []
    private var taxa: [UUID] = []
    private var batches: [UUID: [UUID]] = [:]
    private var datasets: [UUID] = []
    private(set) var sightings: [UUID] = []
    private var known: [UUID: Known] = [:]
    private var parents: [UUID: UUID] = [:]
    private var categories: [UUID: Int] = [:]
    /// The taxon of the last identification.
    private var lastTaxon: UUID?

    private let hasReviews: Bool
    var photos: [UUID: UUID] = [:]

    /// - Parameter hasReviews: with photos, and with moderators' actions; otherwise accounts change their settings.
    init(seed: UInt64, hasReviews: Bool = false) {
        random = RandomSource(seed: seed)
        self.hasReviews = hasReviews
    }

    /// The events of a few commands.
    mutating func next() -> [GeneratedEvent] {
        (0..<random.element(of: [1, 1, 1, 4, 9])).flatMap { _ in command() }
    }

    private mutating func command() -> [GeneratedEvent] {
        let choice = random.int(in: 0...99)
        if accounts.isEmpty || choice < 3 { return [account()] }
        if choice == 3, accounts.count > 3 { return [erasure()] }
        if choice < (hasReviews ? 6 : 8) { return roles() }
        if taxa.isEmpty || choice < 13 { return [taxon()] }
        if choice < 18 { return move() }
        if choice < 23 { return [sensitivity()] }
        if choice < 26 { return [naming()] }
        if datasets.isEmpty || choice < 28 { return dataset() }
        if choice < 30 { return [batch()] }
        if sightings.isEmpty || choice < 46 { return [submission()] }
        if choice < 56 { return [importation(random.element(of: datasets))] }
        if hasReviews, random.isTrue(oneIn: 2) { return review() }
        return change(of: random.element(of: sightings))
    }

    // MARK: Accounts, taxa, datasets

    private mutating func account() -> GeneratedEvent {
        let id = random.uuid()
        accounts.append(id)
        return GeneratedEvent(
            id, "account", "AccountRegistered",
            [
                "state": "US-WA", "region": "pacific-northwest", "licence": "CC-BY-4.0", "geoprivacy": "open",
                "attribution": .text(random.element(of: ["displayName", "anonymous"])), "observer": .id(random.uuid()),
                "roles": .array(["birder"]), "oldEnough": true,
            ])
    }

    /// An account that is erased does nothing afterwards; what others do with its sightings goes on.
    private mutating func erasure() -> GeneratedEvent {
        let id = accounts.remove(at: random.int(in: 0...accounts.count - 1))
        return GeneratedEvent(
            id, "account", "AccountErased", ["sightings": .text(random.element(of: ["keep", "withdraw"]))])
    }

    private mutating func roles() -> [GeneratedEvent] {
        let id = random.element(of: accounts)
        return (0...random.int(in: 0...1)).map { _ in
            !hasReviews && random.isTrue(oneIn: 2)
                ? settings(of: id)
                : GeneratedEvent(
                    id, "account", random.element(of: ["RoleGranted", "RoleRevoked"]),
                    ["role": .text(random.element(of: ["birder", "moderator", "admin"]))])
        }
    }

    private mutating func settings(of id: UUID) -> GeneratedEvent {
        let isNarrower = random.isTrue(oneIn: 2)
        let publicity: [String: JSONText] = random.element(of: [
            ["attribution": isNarrower ? "anonymous" : "displayName"],
            ["publicGallery": isNarrower ? false : true],
            [
                "attribution": isNarrower ? "anonymous" : "displayName",
                "publicGallery": isNarrower ? false : true,
            ],
        ])
        return random.element(of: [
            GeneratedEvent(id, "account", isNarrower ? "AccountNarrowed" : "AccountWidened", publicity),
            GeneratedEvent(
                id, "account", "AccountChanged",
                ["state": random.isTrue(oneIn: 2) ? "US-OR" : .null, "licence": "CC0-1.0", "language": "fr"]),
            GeneratedEvent(
                id, "account", "AccountSuspended", ["reason": "spam", "until": "2027-05-01T00:00:00Z"]),
            GeneratedEvent(id, "account", "AccountReinstated", ["reason": "other"]),
            GeneratedEvent(id, "account", "AccountNamesForgotten", [:]),
            GeneratedEvent(id, "account", "DisplayNameRemoved", ["reason": "offensive"]),
        ])
    }

    private mutating func taxon() -> GeneratedEvent {
        let id = random.uuid()
        var members: [String: JSONText] = [
            "scientificName": .text(random.element(of: ["Aus bus", "Cus dus", "Eus fus"])), "rank": "species",
            "kind": .text(random.element(of: ["bird", "mammal"])),
            "names": .array(random.isTrue(oneIn: 3) ? [] : [commonName()]),
            "synonyms": .array((0..<random.int(in: 0...2)).map { ["P us", "Q us"][$0] }),
        ]
        if let parent = taxa.randomElement(using: &random), !random.isTrue(oneIn: 4) {
            members["parent"] = .id(parent)
            parents[id] = parent
        }
        taxa.append(id)
        return GeneratedEvent(id, "taxon", "TaxonAdded", members)
    }

    private mutating func commonName() -> JSONText {
        .object([
            "language": .text(random.element(of: ["en", "fr"])),
            "name": .text(random.element(of: ["Wren", "Élan", "Roi"])),
        ])
    }

    private mutating func move() -> [GeneratedEvent] {
        let (taxon, parent) = (random.element(of: taxa), random.element(of: taxa))
        guard !ancestors(of: parent).contains(taxon) else { return [] }
        let goes = !random.isTrue(oneIn: 3)
        parents[taxon] = goes ? parent : nil
        return [GeneratedEvent(taxon, "taxon", "TaxonMoved", ["parent": goes ? .id(parent) : .null])]
    }

    private mutating func sensitivity() -> GeneratedEvent {
        let (taxon, category) = (random.element(of: taxa), random.element(of: [nil, 1, 2, 2, 3, 4]))
        categories[taxon] = category
        return GeneratedEvent(
            taxon, "taxon", "TaxonSensitivitySet",
            ["category": category.map { .number($0) } ?? .null, "reason": "nests", "source": .null])
    }

    private mutating func naming() -> GeneratedEvent {
        let taxon = random.element(of: taxa)
        switch random.int(in: 0...2) {
        case 0: return GeneratedEvent(taxon, "taxon", "TaxonNamed", payload: commonName().text)
        case 1:
            return GeneratedEvent(
                taxon, "taxon", "TaxonSynonymAdded", ["name": .text("S\(random.int(in: 1...1_000_000)) us")])
        default: return GeneratedEvent(taxon, "taxon", "TaxonDescribed", ["description": "small", "link": .null])
        }
    }

    private mutating func dataset() -> [GeneratedEvent] {
        let (id, batch) = (random.uuid(), random.uuid())
        datasets.append(id)
        batches[id] = [batch]
        return [
            GeneratedEvent(id, "dataset", "DatasetRegistered", ["licence": "CC0-1.0", "republish": "yes"]),
            started(batch, id),
        ]
    }

    private func started(_ batch: UUID, _ dataset: UUID) -> GeneratedEvent {
        GeneratedEvent(
            dataset, "dataset", "ImportStarted",
            ["batch": .id(batch), "file": .text(String(repeating: "0f", count: 32))])
    }

    private mutating func batch() -> GeneratedEvent {
        let dataset = random.element(of: datasets)
        let batch = random.element(of: batches[dataset] ?? [])
        switch random.int(in: 0...2) {
        case 0:
            let next = random.uuid()
            batches[dataset, default: []].append(next)
            return started(next, dataset)
        case 1:
            return GeneratedEvent(
                dataset, "dataset", "ImportFinished",
                ["batch": .id(batch), "accepted": 1, "known": 2, "corrected": 3, "withdrawn": 4, "refused": 5])
        default:
            return GeneratedEvent(dataset, "dataset", "ImportUndone", ["batch": .id(batch), "withdrawn": 6])
        }
    }

    // MARK: Sightings

    private func ancestors(of taxon: UUID) -> [UUID] {
        var found = [taxon]
        while let parent = found.last.flatMap({ parents[$0] }), !found.contains(parent) { found.append(parent) }
        return found
    }

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

    private mutating func submission() -> GeneratedEvent {
        let id = random.uuid()
        let geoprivacy = random.element(of: ["open", "open", "open", "obscured", "private"])
        sightings.append(id)
        known[id] = Known(geoprivacy: geoprivacy)
        var members: [String: JSONText] = [
            "observer": .id(random.element(of: accounts)), "confidence": .number(random.int(in: 1...10)),
            "count": .number(random.int(in: 1...12)), "captive": captivity(), "licence": "CC-BY-4.0",
            "geoprivacy": .text(geoprivacy), "protocol": "incidental", "content": .array(["notes"]),
        ]
        for part in [identification(), place(), observed()] { members.merge(part) { $1 } }
        known[id]?.taxon = lastTaxon
        if random.isTrue(oneIn: 2) {
            members["visit"] = .object(["id": .id(random.uuid()), "startedAt": "2025-05-01T07:00:00Z"])
        }
        // The hash of every generated photo, and another one.
        if hasReviews, let photos = random.element(of: [nil, ["ab"], ["ab", "cd"]]) {
            members["awaitedPhotos"] = .array(photos.map { .text(String(repeating: $0, count: 32)) })
        }
        return GeneratedEvent(id, "sighting", "SightingSubmitted", members.filter { $0.value.text != "null" })
    }

    /// A record's first row, or with an id the one that brings it back: then what it no longer has is null.
    private mutating func importation(_ dataset: UUID, again: UUID? = nil) -> GeneratedEvent {
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
        if random.isTrue(oneIn: 2) { members["recorder"] = .id(dataset) }
        if again == nil { members = members.filter { $0.value.text != "null" } }
        return GeneratedEvent(id, "sighting", "SightingImported", members)
    }

    /// Whether a sighting is not withdrawn.
    func isLive(_ id: UUID) -> Bool { known[id]?.isLive ?? false }

    private mutating func change(of id: UUID) -> [GeneratedEvent] {
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
