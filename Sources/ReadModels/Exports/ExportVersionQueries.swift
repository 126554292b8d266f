import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// The versions of the lists that the records of an export follow.
package struct ListVersions: Hashable, Sendable {
    /// Changes with the names, authors, ranks and parents of taxa.
    package let taxonomy: String
    /// Changes with the categories of taxa.
    package let sensitivity: String
}

/// Reads the versions of lists as of a position. They are hashes: equal lists have the same version, and none reveals
/// when a list was changed.
package struct ExportVersionQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// - Throws: `PostgresError`.
    package func versions(asOf position: Int64) async throws(PostgresError) -> ListVersions {
        let row = try await database.query(
            """
            select \(fragment: Self.hash("s.line")) as taxonomy,
                   (select \(fragment: Self.hash("c.line"))
                      from (\(fragment: Self.categories(asOf: position))) c) as sensitivity
              from (\(fragment: Self.taxa(asOf: position))) s
            """
        ).onlyRow()
        return ListVersions(
            taxonomy: try row.decode("taxonomy"), sensitivity: try row.decode("sensitivity"))
    }

    /// `sha256:` and the first sixteen digits.
    private static func hash(_ line: SQL) -> SQL {
        """
        'sha256:' || left(encode(sha256(convert_to(coalesce(
            string_agg(\(fragment: line), chr(10) order by \(fragment: line) collate "C"), ''), 'UTF8')), 'hex'), 16)
        """
    }

    private static func taxa(asOf position: Int64) -> SQL {
        """
        select jsonb_build_array(t.taxon, t.scientific_name, t.authorship, t.rank, t.parent, t.kind,
                                 t.common_names)::text as line
          from \(identifier: ReadModel.taxa.schema).taxon_states t where t.valid @> \(position)
        """
    }

    private static func categories(asOf position: Int64) -> SQL {
        """
        select n.taxon::text || ' ' || n.category::text as line
          from (select distinct on (c.taxon) c.taxon, c.category
                  from \(identifier: ReadModel.sightingsPublic.schema).taxon_categories c
                 where c.since <= \(position) order by c.taxon, c.since desc) n
         where n.category is not null
        """
    }
}
