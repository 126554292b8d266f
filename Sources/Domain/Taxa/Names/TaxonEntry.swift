/// A taxon with all the names by which it is found.
package struct TaxonEntry: Equatable, Sendable {
    package var id: TaxonID
    package var rank: TaxonRank
    /// The group it is shown in.
    package var kind: TaxonKind
    /// The next higher taxon; one that is not among the entries counts as none.
    package var parent: TaxonID?
    /// The accepted scientific name.
    package var scientificName: String
    /// Other scientific names.
    package var synonyms: [String]
    /// Common names; the first of a language is the preferred one.
    package var commonNames: [(language: LanguageTag, name: String)]
    /// The code in a checklist; for birds, that of the banding laboratories.
    package var code: String?
    /// The taxon's own sensitivity, without its ancestors'.
    package var sensitivity: SensitivityCategory?
    /// Names that may mean a sensitive taxon, but by which it is not found: "wolf", "Vielfraß".
    package var everydayNames: [String]

    package init(
        id: TaxonID, rank: TaxonRank, kind: TaxonKind, parent: TaxonID? = nil, scientificName: String,
        synonyms: [String] = [], commonNames: [(language: LanguageTag, name: String)] = [],
        code: String? = nil, sensitivity: SensitivityCategory? = nil, everydayNames: [String] = []
    ) {
        self.id = id
        self.rank = rank
        self.kind = kind
        self.parent = parent
        self.scientificName = scientificName
        self.synonyms = synonyms
        self.commonNames = commonNames
        self.code = code
        self.sensitivity = sensitivity
        self.everydayNames = everydayNames
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.id == other.id && one.rank == other.rank && one.kind == other.kind && one.parent == other.parent
            && one.scientificName == other.scientificName && one.synonyms == other.synonyms
            && one.commonNames.elementsEqual(other.commonNames) { $0 == $1 } && one.code == other.code
            && one.sensitivity == other.sensitivity && one.everydayNames == other.everydayNames
    }
}

extension TaxonEntry {
    /// The entry of a taxon as its events have it.
    package init(_ id: TaxonID, _ taxon: TaxonState.Taxon) {
        self.init(
            id: id, rank: taxon.rank, kind: taxon.kind, parent: taxon.parent, scientificName: taxon.scientificName.text,
            synonyms: taxon.synonyms.map(\.text), commonNames: taxon.names.map { ($0.language, $0.name.text) },
            code: taxon.code?.text, sensitivity: taxon.sensitivity.category,
            everydayNames: taxon.sensitivity.everydayNames.map(\.text))
    }
}
