package import Domain
internal import EventLog
internal import FoundationEssentials
package import Postgres

/// All that is public about records of category 1: how many there are, from three up.
package struct WithheldTotal: Hashable, Sendable {
    /// Fewer than this many are not told.
    package static let least = 3

    /// The taxon; nil for unidentified.
    package let taxon: TaxonID?
    /// Nil where a cell of 0.1° around the place is not wholly in one country.
    package let country: CountryCode?
    /// Nil where the observation does not lie in one year.
    package let year: Int?
    /// At least ``least``.
    package let records: Int
}

extension PublicSightingQueries {
    /// The totals of some taxa, each taxon for itself, by taxon, country and year.
    /// - Throws: `PostgresError`.
    package func withheldTotals(
        of taxa: [TaxonID], asOf moment: PublicMoment
    ) async throws(PostgresError) -> [WithheldTotal] {
        let result = try await database.query(
            """
            select s.taxon, s.country, s.year, count(*) as records
              from \(identifier: ReadModel.sightingsPublic.schema).withheld s
             where s.taxon = any(\(taxa.map(\.uuid))) and s.valid @> \(moment.guarded)
               and s.shown @> \(moment.shown)
             group by s.taxon, s.country, s.year
            having count(*) >= \(WithheldTotal.least)
             order by s.taxon, s.country, s.year
            """)
        var totals: [WithheldTotal] = []
        for row in result.rows {
            totals.append(
                WithheldTotal(
                    taxon: try row.id(optional: "taxon"), country: try row.code("country"),
                    year: try row.decode("year"), records: try row.decode("records")))
        }
        return totals
    }
}
