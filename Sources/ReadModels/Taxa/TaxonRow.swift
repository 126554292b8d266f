package import Domain
internal import Postgres

/// A taxon as it is now.
package struct TaxonRow: Sendable, Equatable {
    /// The taxon with all its names, and its own sensitivity.
    package let entry: TaxonEntry
    /// The author and year of its description, such as "Linnaeus, 1758".
    package let authorship: String?
    package let description: String?
    /// The address of a page about it.
    package let link: String?
    /// A code of a checklist.
    package let code: String?
    /// Why it has its category.
    package let sensitivityReason: String?
    /// Version of its newest event.
    package let version: Int
    /// Position of its newest event.
    package let position: Int64

    static let columns: SQL = """
        array(select n.value ->> 'language' from jsonb_array_elements(names) with ordinality n order by n.ordinality)
            as languages,
        array(select n.value ->> 'name' from jsonb_array_elements(names) with ordinality n order by n.ordinality)
            as common_names,
        id, rank, kind, parent, scientific_name, synonyms, sensitivity, authorship, description, link, code,
        sensitivity_reason, version, position
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        let languages = try row.decode("languages", as: [String].self).map { LanguageTag(unchecked: $0) }
        let names = try row.decode("common_names", as: [String].self)
        entry = TaxonEntry(
            id: try row.id("id"), rank: try row.required(row.word("rank"), "rank"),
            kind: try row.required(row.word("kind"), "kind"), parent: try row.id(optional: "parent"),
            scientificName: try row.decode("scientific_name"), synonyms: try row.decode("synonyms"),
            commonNames: zip(languages, names).map { ($0, $1) }, sensitivity: try row.category("sensitivity"))
        authorship = try row.decode("authorship")
        description = try row.decode("description")
        link = try row.decode("link")
        code = try row.decode("code")
        sensitivityReason = try row.decode("sensitivity_reason")
        version = try row.decode("version")
        position = try row.decode("position")
    }
}
