package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A taxon as it was known at a position.
package struct DatedTaxon: Hashable, Sendable {
    /// With the common name in English.
    package let summary: TaxonSummary
    /// The author and year of its description, such as "Linnaeus, 1758".
    package let authorship: String?
}

/// Taxa as they were known at a position.
package struct DatedTaxa: Sendable {
    private let taxa: [TaxonID: DatedTaxon]

    init(_ taxa: [TaxonID: DatedTaxon] = [:]) {
        self.taxa = taxa
    }

    package subscript(id: TaxonID) -> DatedTaxon? { taxa[id] }

    package var summaries: [TaxonSummary] { taxa.values.map(\.summary) }

    /// The taxon and its ancestors, from itself upwards, as far as they were read; empty for an unknown one. A cycle of
    /// parents ends before it repeats.
    package func lineage(of id: TaxonID) -> [DatedTaxon] {
        var line: [DatedTaxon] = []
        var seen: Set<TaxonID> = []
        var next: TaxonID? = id
        while let id = next, seen.insert(id).inserted, let taxon = taxa[id] {
            line.append(taxon)
            next = taxon.summary.parent
        }
        return line
    }
}

/// Reads taxa as of a position: at the same one the result is always the same, except after redactions.
///
/// The model must have folded the position. Taxa that were not known then, or whose first payload was redacted, are
/// missing from the result.
package struct DatedTaxonQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing. A connection must not be in a
    /// transaction whose snapshot is older than the statement: a rebuild may have exchanged the table since.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// Some taxa without their ancestors, in one statement.
    /// - Throws: `PostgresError`.
    package func taxa(_ ids: Set<TaxonID>, asOf position: Int64) async throws(PostgresError) -> DatedTaxa {
        try await read(ids, position, withAncestors: false)
    }

    /// Some taxa with all their ancestors at that position, in one statement.
    /// - Throws: `PostgresError`.
    package func lineages(of ids: Set<TaxonID>, asOf position: Int64) async throws(PostgresError) -> DatedTaxa {
        try await read(ids, position, withAncestors: true)
    }

    private func read(
        _ ids: Set<TaxonID>, _ position: Int64, withAncestors: Bool
    ) async throws(PostgresError) -> DatedTaxa {
        guard !ids.isEmpty else { return DatedTaxa() }
        let ancestors: SQL =
            withAncestors
            ? """
            union
            select x.* from line l cross join lateral (\(fragment: Self.state(of: "l.parent", asOf: position))) x
            """ : ""
        let result = try await database.query(
            """
            with recursive line as (
                select x.*
                  from unnest(\(ids.map(\.uuid))) q (id)
                 cross join lateral (\(fragment: Self.state(of: "q.id", asOf: position))) x
                \(fragment: ancestors)
            )
            select * from line
            """)
        var taxa: [TaxonID: DatedTaxon] = [:]
        for row in result.rows {
            let taxon = try DatedTaxon(row)
            taxa[taxon.summary.id] = taxon
        }
        return DatedTaxa(taxa)
    }

    /// Looked up taxon by taxon, whatever the statistics say.
    private static func state(of id: SQL, asOf position: Int64) -> SQL {
        """
        select s.taxon, s.scientific_name, s.authorship, s.rank, s.parent, s.kind,
               s.common_names ->> \(LanguageTag.english.text) as common_name
          from \(identifier: ReadModel.taxa.schema).taxon_states s
         where s.taxon = \(fragment: id) and s.valid @> \(position)
        offset 0
        """
    }
}

extension DatedTaxon {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        summary = TaxonSummary(
            id: try row.id("taxon"), scientificName: try row.decode("scientific_name"),
            commonName: try row.decode("common_name"), rank: try row.required(row.word("rank"), "rank"),
            kind: try row.required(row.word("kind"), "kind"), parent: try row.id(optional: "parent"))
        authorship = try row.decode("authorship")
    }
}
