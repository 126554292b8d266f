import Domain

/// A small tree of taxa with every sort of name.
enum SmallTree {
    private static let rows: [(name: String, rank: TaxonRank, parent: String?)] = [
        ("Animalia", .kingdom, nil), ("Aves", .class, "Animalia"), ("Mammalia", .class, "Animalia"),
        ("Lynx rufus", .species, "Mammalia"),
        ("Larus argentatus", .species, "Larus"), ("Larus fuscus", .species, "Larus"),
        ("Larus glaucescens", .species, "Larus"), ("Larus", .genus, "Laridae"), ("Laridae", .family, "Aves"),
        ("Aechmophorus", .genus, "Aves"), ("Aechmophorus occidentalis", .species, "Aechmophorus"),
        ("Aechmophorus clarkii", .species, "Aechmophorus"),
        ("Picidae", .family, "Aves"), ("Colaptes", .genus, "Picidae"), ("Colaptes auratus", .species, "Colaptes"),
        ("Colaptes auratus auratus", .subspecies, "Colaptes auratus"),
        ("Colaptes auratus cafer", .subspecies, "Colaptes auratus"),
    ]

    private static let common: [String: [(String, String)]] = [
        "Larus argentatus": [("en", "Herring Gull"), ("fr", "Goéland argenté"), ("ja", "カモメ")],
        "Larus fuscus": [("en", "Lesser Black-backed Gull")], "Larus glaucescens": [("en", "Glaucous-winged Gull")],
        "Aechmophorus occidentalis": [("en", "Western Grebe"), ("en", "Grebe")],
        "Aechmophorus clarkii": [("en", "Clark's Grebe"), ("en", "Grebe")],
        "Colaptes auratus": [("en", "Northern Flicker"), ("en", "Flicker")],
        "Colaptes auratus cafer": [("en", "Red-shafted Flicker"), ("en", "Flicker")],
    ]

    private static let sensitivities: [String: SensitivityCategory] = [
        "Aechmophorus clarkii": .three, "Colaptes auratus": .four,
    ]

    static func id(_ name: String) -> TaxonID {
        Samples.id(UInt8(100 + (rows.firstIndex { $0.name == name } ?? 99)))
    }

    static let entries = rows.map { row in
        TaxonEntry(
            id: id(row.name), rank: row.rank, kind: row.name == "Lynx rufus" ? .mammal : .bird,
            parent: row.parent.map(id),
            scientificName: row.name, synonyms: row.name == "Colaptes auratus cafer" ? ["Colaptes cafer"] : [],
            commonNames: (common[row.name] ?? []).map { (LanguageTag(unchecked: $0), $1) },
            sensitivity: sensitivities[row.name])
    }

    static let names = TaxonNames(entries)
}
