package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// The number of records of a taxon in a country and year.
package struct RecordTotal: Hashable, Sendable {
    /// Nil for records in no country, or whose public place may lie in several.
    package let country: CountryCode?
    /// Nil for records whose time fits no single year.
    package let year: Int?
    /// The public records, as a list has them.
    package let records: Int
    /// The records of category 1; nil if no taxon has at least ``TotalQueries/fewest``.
    package let sensitive: Int?
}

/// Reads the totals of taxa as of a moment.
///
/// Records of category 1 are counted by the taxon that they are identified as, and a count below
/// ``fewest`` is left out before the counts of several taxa are added: otherwise, the difference between a taxon and
/// the taxa below it would reveal that count. The total of a taxon is therefore a sum of counts of single taxa.
/// Totals change when a month is over, also by restrictions (``PublicMoment/totalsCondition``).
package struct TotalQueries: Sendable {
    package static let plan = ReadPlan(.sightingsPublic, asOfDay: .taxa)
    /// The least number of records of category 1 that is shown.
    package static let fewest = 3

    private let database: any PostgresQuerying

    /// Reads through a connection of its own: many records make a long statement.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The totals of a taxon and all below it in the taxonomy as of the moment, by country, then by year; totals
    /// without one come last.
    /// - Throws: `PostgresError`.
    package func totals(
        of taxon: TaxonID, first limit: Int, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [RecordTotal] {
        let result = try await database.query(
            """
            with below as materialized (
                select b.taxon from (\(fragment: PublicSightingQueries.below(taxon, asOf: moment.known))) b),
            open as (
                select s.country,
                       case when extract(year from s.local_from) = extract(year from s.local_to)
                            then extract(year from s.local_from)::integer end as year,
                       count(*) as records
                  from \(fragment: PublicSightingQueries.table)
                 where s.taxon = any(array(select b.taxon from below b)) and s.taxon is not null
                   and s.kind = 'record' and \(fragment: moment.condition)
                   and coalesce((\(fragment: PublicListStatement.isComplete)), false)
                 group by 1, 2),
            withheld as (
                select w.country, w.year, sum(w.records)::bigint as records
                  from (select s.taxon, s.country, s.year, count(*) as records
                          from \(identifier: ReadModel.sightingsPublic.schema).withheld s
                         where s.taxon = any(array(select b.taxon from below b))
                           and \(fragment: moment.totalsCondition)
                         group by s.taxon, s.country, s.year
                        having count(*) >= \(Self.fewest)) w
                 group by w.country, w.year)
            select t.country, t.year, sum(t.records)::bigint as records, sum(t.sensitive)::bigint as sensitive
              from (select o.country, o.year, o.records, null::bigint as sensitive from open o
                    union all
                    select w.country, w.year, 0, w.records from withheld w) t
             group by t.country, t.year
             order by t.country collate "C" nulls last, t.year nulls last
             limit \(limit)
            """)
        var found: [RecordTotal] = []
        found.reserveCapacity(result.count)
        for row in result.rows {
            found.append(
                RecordTotal(
                    country: try row.code("country"), year: try row.decode("year"),
                    records: try row.decode("records"), sensitive: try row.decode("sensitive")))
        }
        return found
    }
}
