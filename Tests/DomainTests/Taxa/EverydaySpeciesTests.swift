import Testing

@testable import Domain

/// A name that is a species' and also its genus', family's or order's means the species.
struct EverydaySpeciesTests {
    private let names: TaxonNames
    private let rows: [ShippedTaxa.Row]

    init() throws {
        let shipped = try ShippedTaxa.loaded.get()
        (names, rows) = (shipped.names, shipped.rows)
    }

    private func match(_ text: String, as meaning: NameMeaning = .everyday) -> NameMatch? {
        guard case .match(let match) = names.resolve(text, as: meaning) else { return nil }
        return match
    }

    private func name(_ match: NameMatch?) -> String? {
        match.flatMap { names.summary(of: $0.taxon)?.scientificName }
    }

    /// The names of the shipped checklist that a species shares with taxa above it.
    private func shared() -> [(text: String, species: TaxonID, groups: [TaxonID])] {
        var holders: [String: Set<TaxonID>] = [:]
        for row in rows {
            guard let taxon = match(row["scientificName"], as: .scientific)?.taxon else { continue }
            for text in row.names { holders[text.lowercased(), default: []].insert(taxon) }
        }
        return holders.compactMap { text, taxa in
            let species = taxa.filter { names.summary(of: $0)?.rank == .species }
            guard let only = species.first, species.count == 1 else { return nil }
            let groups = names.lineage(of: only).dropFirst().filter(taxa.contains)
            return groups.isEmpty ? nil : (text, only, groups)
        }
    }

    @Test func `every such name of the shipped checklist`() throws {
        let shared = shared()
        #expect(shared.count >= 13 && Set(shared.map(\.text)).isSuperset(of: ["osprey", "limpkin", "walrus"]))
        for (text, species, groups) in shared {
            let match = try #require(self.match(text))
            #expect(match.taxon == species && match.qualifier == nil, "\(text)")
            let doubted = try #require(self.match(text + "?"))
            #expect(doubted.taxon == species && doubted.qualifier == .cf, "\(text)?")
            // As sensitive as the most sensitive that has the name.
            for taxon in [species] + groups {
                let most = SensitivityCategory.mostSensitive(match.sensitivity, names.sensitivity(of: taxon))
                #expect(match.sensitivity == most && doubted.sensitivity == most)
                #expect(names.identification(of: text)?.sensitivity == most)
            }
        }
    }

    @Test(
        arguments: [
            ("Osprey", "Pandion haliaetus", nil), ("osprey?", "Pandion haliaetus", .cf),
            ("cf. Osprey", "Pandion haliaetus", .cf), ("probable Osprey", "Pandion haliaetus", .cf),
            ("Osprey (?)", "Pandion haliaetus", .cf), ("Osprey? adult", "Pandion haliaetus", .cf),
            ("Limpkin", "Aramus guarauna", nil), ("Anhinga", "Anhinga anhinga", nil),
            ("anhinga?", "Anhinga anhinga", .cf),
            ("Anhinga sp.", "Anhinga", .sp), ("Osprey sp.", "Pandionidae", .sp), ("Puma", "Puma concolor", nil),
            ("Pandionidae?", "Pandionidae", .cf), ("Larus fuscus?", "Larus fuscus", .cf), ("Larus?", "Larus", .cf),
            ("Anhinga cf. anhinga", "Anhinga anhinga", .cf),
        ] as [(String, String, TaxonQualifier?)])
    func `as people write them`(text: String, name: String, qualifier: TaxonQualifier?) {
        #expect(self.name(match(text)) == name && match(text)?.qualifier == qualifier)
    }

    @Test(arguments: [
        ("Anhinga", "Anhinga"), ("Puma", "Puma"), ("Jabiru", "Jabiru"), ("Phainopepla", "Phainopepla"),
        ("Ensatina", "Ensatina"), ("Osprey", "Pandion haliaetus"), ("Anhinga?", "Anhinga"),
    ])
    func `as a scientific name, a genus' name means the genus`(text: String, name: String) {
        #expect(self.name(match(text, as: .scientific)) == name)
    }

    @Test(arguments: ["Osprey", "Limpkin", "Anhinga", "Puma", "Walrus"])
    func `a search finds the species first`(text: String) {
        #expect(names.search(text, limit: 3).first.flatMap { names.summary(of: $0.taxon) }?.rank == .species)
    }
}
