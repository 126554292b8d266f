package import FoundationEssentials

/// A taxon in a list.
package struct TaxonSummary: Hashable, Sendable, JSONRepresentable {
    /// The taxon's id.
    package var id: UUID
    /// Its accepted scientific name.
    package var scientificName: String
    /// Its preferred common name in the language of the answer.
    package var commonName: String?
    /// The group of life.
    package var kind: String
    /// Its rank: `species`, `genus`, …
    package var rank: String
    /// The name that the search found, where it is neither of the two above.
    package var matchedName: String?

    /// Fills in everything.
    package init(
        id: UUID, scientificName: String, commonName: String?, kind: String, rank: String, matchedName: String?
    ) {
        self.id = id
        self.scientificName = scientificName
        self.commonName = commonName
        self.kind = kind
        self.rank = rank
        self.matchedName = matchedName
    }

    /// Writes the members that a search shows.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("scientificName", scientificName)
            writer.field("commonName", commonName)
            writer.field("kind", kind)
            writer.field("rank", rank)
            writer.field("matchedName", matchedName)
        }
    }
}

/// Everything about a taxon.
package struct TaxonView: Sendable, JSONRepresentable {
    /// A taxon above it.
    package struct Ancestor: Hashable, Sendable, JSONRepresentable {
        /// The taxon's id.
        package var id: UUID
        /// Its scientific name.
        package var scientificName: String
        /// Its rank.
        package var rank: String

        /// Fills in everything.
        package init(id: UUID, scientificName: String, rank: String) {
            self.id = id
            self.scientificName = scientificName
            self.rank = rank
        }

        /// Writes the ancestor.
        package func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("id", id)
                writer.field("scientificName", scientificName)
                writer.field("rank", rank)
            }
        }
    }

    /// A common name.
    package struct Name: Hashable, Sendable, JSONRepresentable {
        /// BCP 47.
        package var language: String
        /// The name.
        package var name: String

        /// Fills in everything.
        package init(language: String, name: String) {
            self.language = language
            self.name = name
        }

        /// Writes the name with its language.
        package func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("language", language)
                writer.field("name", name)
            }
        }
    }

    /// What lists say about it.
    package var summary: TaxonSummary
    /// Who described it.
    package var authorship: String?
    /// From the kingdom down to the parent.
    package var ancestors: [Ancestor]
    /// Common names; the preferred one of a language first.
    package var names: [Name]
    /// Other scientific names by which it is found.
    package var synonyms: [String]
    /// A few sentences.
    package var description: String?
    /// Where to read more.
    package var link: String?
    /// How coarsely its places are shown, 1 to 4; nil for exactly.
    package var sensitivity: Int?

    /// Fills in everything.
    package init(
        summary: TaxonSummary, authorship: String?, ancestors: [Ancestor], names: [Name], synonyms: [String],
        description: String?, link: String?, sensitivity: Int?
    ) {
        self.summary = summary
        self.authorship = authorship
        self.ancestors = ancestors
        self.names = names
        self.synonyms = synonyms
        self.description = description
        self.link = link
        self.sensitivity = sensitivity
    }

    /// Writes all of the taxon's members.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", summary.id)
            writer.field("scientificName", summary.scientificName)
            writer.field("authorship", authorship)
            writer.field("commonName", summary.commonName)
            writer.field("kind", summary.kind)
            writer.field("rank", summary.rank)
            writer.field("ancestors", ancestors)
            writer.field("names", names)
            writer.field("synonyms", synonyms)
            writer.field("description", description)
            writer.field("link", link)
            writer.field("sensitivity", sensitivity)
        }
    }
}
