import FoundationEssentials
import TestRandom

extension RandomHistory {
    mutating func taxon() -> GeneratedEvent {
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

    mutating func move() -> [GeneratedEvent] {
        let (taxon, parent) = (random.element(of: taxa), random.element(of: taxa))
        guard !ancestors(of: parent).contains(taxon) else { return [] }
        let goes = !random.isTrue(oneIn: 3)
        parents[taxon] = goes ? parent : nil
        return [GeneratedEvent(taxon, "taxon", "TaxonMoved", ["parent": goes ? .id(parent) : .null])]
    }

    mutating func sensitivity() -> GeneratedEvent {
        let (taxon, category) = (random.element(of: taxa), random.element(of: [nil, 1, 2, 2, 3, 4]))
        categories[taxon] = category
        return GeneratedEvent(
            taxon, "taxon", "TaxonSensitivitySet",
            ["category": category.map { .number($0) } ?? .null, "reason": "nests", "source": .null])
    }

    mutating func naming() -> GeneratedEvent {
        let taxon = random.element(of: taxa)
        switch random.int(in: 0...2) {
        case 0: return GeneratedEvent(taxon, "taxon", "TaxonNamed", payload: commonName().text)
        case 1:
            return GeneratedEvent(
                taxon, "taxon", "TaxonSynonymAdded", ["name": .text("S\(random.int(in: 1...1_000_000)) us")])
        default:
            return GeneratedEvent(
                taxon, "taxon", "TaxonDescribed",
                ["description": "small", "link": .null, "authorship": .text("Linnaeus, \(1758 + taxa.count)")])
        }
    }

    /// A taxon, and those above it.
    func ancestors(of taxon: UUID) -> [UUID] {
        var found = [taxon]
        while let parent = found.last.flatMap({ parents[$0] }), !found.contains(parent) { found.append(parent) }
        return found
    }
}
