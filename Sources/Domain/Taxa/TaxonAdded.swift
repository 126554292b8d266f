/// A taxon became known.
package struct TaxonAdded: EventPayload {
    package static let type = "TaxonAdded"
    /// The accepted scientific name, without its author.
    package var scientificName: PublishedText
    package var rank: TaxonRank
    /// The next higher taxon, nil at the top.
    package var parent: TaxonID?
    /// The group it is shown in.
    package var kind: TaxonKind
    /// The author and year of its description, such as "Linnaeus, 1758".
    package var authorship: PublishedText?
    package var description: PublishedText?
    /// The address of a page about it.
    package var link: PublishedText?
    /// A code of a checklist, such as the four letters of a banding laboratory.
    package var code: PublishedText?
    /// Common names; the first of a language is the preferred one.
    package var names: [CommonName]
    /// Other scientific names under which it is found.
    package var synonyms: [PublishedText]

    static let shape = Shape<Self>(
        Self.init,
        .required("scientificName", \.scientificName),
        .required("rank", \.rank),
        .optional("parent", \.parent),
        .required("kind", \.kind),
        .optional("authorship", \.authorship),
        .optional("description", \.description),
        .optional("link", \.link),
        .optional("code", \.code),
        .list("names", \.names),
        .list("synonyms", \.synonyms))

    package init(
        scientificName: PublishedText, rank: TaxonRank, parent: TaxonID? = nil, kind: TaxonKind,
        authorship: PublishedText? = nil, description: PublishedText? = nil, link: PublishedText? = nil,
        code: PublishedText? = nil, names: [CommonName] = [], synonyms: [PublishedText] = []
    ) {
        self.scientificName = scientificName
        self.rank = rank
        self.parent = parent
        self.kind = kind
        self.authorship = authorship
        self.description = description
        self.link = link
        self.code = code
        self.names = names
        self.synonyms = synonyms
    }
}

/// A name of a taxon in one language.
package struct CommonName: PayloadObject, PayloadPart, Hashable {
    package var language: LanguageTag
    /// The name as it is written in that language.
    package var name: PublishedText

    static let shape = Shape<Self>(Self.init, .required("language", \.language), .required("name", \.name))

    package init(language: LanguageTag, name: PublishedText) {
        self.language = language
        self.name = name
    }
}
