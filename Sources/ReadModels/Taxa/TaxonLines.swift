import Domain
import EventLog
import FoundationEssentials
import Postgres

/// The lineages of taxa, by the taxonomy as it is now or as of a position. For the taxa of a set of rows, they are
/// common table expressions of a `with recursive`: the taxonomy is walked upwards once for each taxon, however many
/// rows have it.
enum TaxonLines {
    /// Taxa and their descendants: a query of one column.
    static func below(_ taxa: [TaxonID]) -> SQL {
        let table: SQL = "\(identifier: ReadModel.taxa.schema).taxa"
        return """
            with recursive below (taxon) as (
                select t.id from \(fragment: table) t where t.id = any(\(taxa.map(\.uuid)))
                union
                select t.id from below b join \(fragment: table) t on t.parent = b.taxon
            )
            select taxon from below
            """
    }

    /// `line (taxon, above)`: each taxon with itself and its ancestors.
    /// - Parameters:
    ///   - table: an earlier expression with a column `taxon`, which may be null.
    ///   - rank: the lineages end there; nil: at the highest taxon.
    static func line(of table: SQL, upTo rank: TaxonRank? = nil) -> SQL {
        // Looked up taxon by taxon, whatever the statistics say; a cycle of parents ends at the union.
        let isBelow: SQL = rank.map { "x.rank is distinct from \($0.rawValue)" } ?? "true"
        return """
            line (taxon, above) as (
                select distinct o.taxon, o.taxon from \(fragment: table) o where o.taxon is not null
                union
                select l.taxon, x.parent from line l
                 cross join lateral (
                    select x.parent, x.rank from \(identifier: ReadModel.taxa.schema).taxa x
                     where x.id = l.above offset 0) x
                 where x.parent is not null and \(fragment: isBelow))
            """
    }

    /// `line`, and `species (taxon, species, kind)`: the species that each taxon is, or is below. Taxa above species
    /// have none.
    static func species(of table: SQL) -> SQL {
        """
        \(fragment: line(of: table, upTo: .species)),
        species (taxon, species, kind) as (
            select l.taxon, l.above, x.kind from line l
             cross join lateral (
                select x.kind, x.rank from \(identifier: ReadModel.taxa.schema).taxa x
                 where x.id = l.above offset 0) x
             where x.rank = \(TaxonRank.species.rawValue))
        """
    }

    /// `line`, and `species (taxon, species, kind, name)`, by the taxonomy as of a position.
    /// - Parameter table: as for ``line(of:upTo:)``.
    static func species(of table: SQL, asOf position: Int64) -> SQL {
        """
        line (taxon, above) as (
            select distinct o.taxon, o.taxon from \(fragment: table) o where o.taxon is not null
            union
            select l.taxon, x.parent from line l
             cross join lateral (\(fragment: state(of: "l.above", asOf: position))) x
             where x.parent is not null and x.rank is distinct from \(TaxonRank.species.rawValue)),
        species (taxon, species, kind, name) as materialized (
            select l.taxon, l.above, x.kind, x.scientific_name from line l
             cross join lateral (\(fragment: state(of: "l.above", asOf: position))) x
             where x.rank = \(TaxonRank.species.rawValue))
        """
    }

    /// The condition that a taxon was known as of a position, and was no species.
    static func isNoSpecies(_ taxon: SQL, asOf position: Int64) -> SQL {
        """
        exists (select from (\(fragment: state(of: taxon, asOf: position))) x
                 where x.rank is distinct from \(TaxonRank.species.rawValue))
        """
    }

    /// Looked up taxon by taxon, whatever the statistics say.
    private static func state(of taxon: SQL, asOf position: Int64) -> SQL {
        """
        select s.parent, s.rank, s.kind, s.scientific_name
          from \(identifier: ReadModel.taxa.schema).taxon_states s
         where s.taxon = \(fragment: taxon) and s.valid @> \(position)
        offset 0
        """
    }
}
