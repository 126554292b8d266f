package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A species with its records in a region.
package struct RegionSpecies: Hashable, Sendable {
    package let species: TaxonID
    package let records: Int
    /// The first and the last local day of those records that were observed on one day; nil without such a record.
    package let firstOn: CivilDate?
    package let lastOn: CivilDate?
}

/// Reads the species of a region as of a moment.
package struct RegionSpeciesQueries: Sendable {
    package static let plan = RegionRangeQueries.plan

    private let database: any PostgresQuerying

    /// Reads through a connection of its own: the records of a region make a long statement.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The first species by scientific name, then by id, with the names and ranks of the moment.
    /// - Throws: `PostgresError`.
    package func species(
        _ query: RegionQuery, first limit: Int, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [RegionSpecies] {
        let result = try await database.query(
            """
            with recursive seen as materialized (
                select s.taxon, count(*) as records,
                       min(s.local_from) filter (where s.local_from = s.local_to) as first_on,
                       max(s.local_to) filter (where s.local_from = s.local_to) as last_on
                  from \(fragment: PublicSightingQueries.table)
                 where \(fragment: query.recordsHere(asOf: moment))
                 group by s.taxon),
            \(fragment: TaxonLines.species(of: "seen", asOf: moment.known))
            select p.species, sum(n.records)::bigint as records, min(n.first_on)::text as first_on,
                   max(n.last_on)::text as last_on
              from seen n join species p on p.taxon = n.taxon
             where \(fragment: query.isOfKind)
             group by p.species, p.name
             order by p.name collate "C", p.species
             limit \(limit)
            """)
        var found: [RegionSpecies] = []
        found.reserveCapacity(result.count)
        for row in result.rows {
            found.append(
                RegionSpecies(
                    species: try row.id("species"), records: try row.decode("records"),
                    firstOn: try row.date("first_on"), lastOn: try row.date("last_on")))
        }
        return found
    }
}
