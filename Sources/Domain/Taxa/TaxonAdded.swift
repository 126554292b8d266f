package import JSON

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

    init(_ reader: PayloadReader) throws(PayloadFault) {
        scientificName = try reader.required("scientificName")
        rank = try reader.required("rank")
        parent = try reader.optional("parent")
        kind = try reader.required("kind")
        authorship = try reader.optional("authorship")
        description = try reader.optional("description")
        link = try reader.optional("link")
        code = try reader.optional("code")
        names = try reader.list("names")
        synonyms = try reader.list("synonyms")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("scientificName", scientificName)
        writer.field("rank", rank)
        writer.field("parent", parent)
        writer.field("kind", kind)
        writer.field("authorship", authorship)
        writer.field("description", description)
        writer.field("link", link)
        writer.field("code", code)
        writer.field("names", names)
        writer.field("synonyms", synonyms)
    }
}

/// A name of a taxon in one language.
package struct CommonName: Hashable, Sendable {
    package var language: LanguageTag
    /// The name as it is written in that language.
    package var name: PublishedText

    package init(language: LanguageTag, name: PublishedText) {
        self.language = language
        self.name = name
    }
}

extension CommonName: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        self.init(language: try payload.required("language"), name: try payload.required("name"))
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("language", language)
            writer.field("name", name)
        }
    }
}
