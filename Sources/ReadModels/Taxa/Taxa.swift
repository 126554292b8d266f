package import Domain
import EventLog
package import Postgres

/// A taxon as it is now.
package struct TaxonRow: Sendable, Equatable {
    /// The taxon with all its names, and its own sensitivity.
    package let entry: TaxonEntry
    /// The author and year of its description, such as "Linnaeus, 1758".
    package let authorship: String?
    package let description: String?
    /// The address of a page about it.
    package let link: String?
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
        sensitivity_reason, everyday_names, version, position
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        let languages = try row.decode("languages", as: [String].self).map { LanguageTag(unchecked: $0) }
        let names = try row.decode("common_names", as: [String].self)
        entry = TaxonEntry(
            id: try row.id("id"), rank: try row.required(row.word("rank"), "rank"),
            kind: try row.required(row.word("kind"), "kind"), parent: try row.id(optional: "parent"),
            scientificName: try row.decode("scientific_name"), synonyms: try row.decode("synonyms"),
            commonNames: zip(languages, names).map { ($0, $1) }, code: try row.decode("code"),
            sensitivity: try row.category("sensitivity"), everydayNames: try row.decode("everyday_names"))
        authorship = try row.decode("authorship")
        description = try row.decode("description")
        link = try row.decode("link")
        sensitivityReason = try row.decode("sensitivity_reason")
        version = try row.decode("version")
        position = try row.decode("position")
    }
}

/// Reads the taxonomy. Names are searched in memory, over what ``changes(after:)`` gives.
package struct TaxonQueries: Sendable {
    /// Changed taxa, and the position up to which they are complete.
    package struct Changes: Sendable {
        /// The taxa, in the order of their newest events.
        package let taxa: [TaxonRow]
        /// The position that the model had reached.
        package let position: Int64
    }

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The position of the newest event of any taxon, even of one that ``changes(after:)`` leaves out; 0 without taxa.
    /// - Throws: `PostgresError`.
    package func newest() async throws(PostgresError) -> Int64 {
        try await database.query(
            "select coalesce(max(position), 0) as newest from \(identifier: ReadModel.taxa.schema).taxa"
        ).onlyRow().decode("newest")
    }

    /// The taxa with events above a position; all of them above 0. Taxa whose first payload was redacted are left out.
    /// - Throws: `PostgresError`.
    package func changes(after position: Int64 = 0) async throws(PostgresError) -> Changes {
        let model = ReadModel.taxa
        // The checkpoint is read first: taxa folded in between are returned again by the next call.
        let checkpoint = try await database.query(
            "select position from model.checkpoints where \(fragment: model.isItsCheckpoint)")
        let reached: Int64 = try checkpoint.first?.decode("position") ?? 0
        let result = try await database.query(
            """
            select \(fragment: TaxonRow.columns)
              from \(identifier: model.schema).taxa
             where position > \(position) and scientific_name is not null
             order by position
            """)
        var taxa: [TaxonRow] = []
        taxa.reserveCapacity(result.count)
        for row in result.rows { taxa.append(try TaxonRow(row)) }
        return Changes(taxa: taxa, position: reached)
    }
}

extension TaxonKind {
    /// The condition that a taxon, given by an expression for its id, is of this kind.
    ///
    /// It is looked up for each row that a page reads: the planner, which cannot know how many taxa are of a kind, must
    /// not take them for so few that it reads and sorts all rows of a list.
    func condition(of taxon: SQL) -> SQL {
        """
        coalesce((select t.kind from \(identifier: ReadModel.taxa.schema).taxa t where t.id = \(fragment: taxon))
                 = \(rawValue), false)
        """
    }
}
