import Domain
import EventLog
import Postgres

extension RegionRangeQueries {
    /// The species of a page among the records as they are now, at a cost that grows with the number of taxa, and
    /// hardly with that of records.
    ///
    /// The index of margins has the records that count, but for guarded ones, by taxon and region in the order of their
    /// rows: of each taxon, the outermost row is read. Guarded records, which are few, are read by taxon, in the order
    /// of the index of accepted ones. The condition of the query applies to both; it relies on the indexes only to miss
    /// no present record that counts by the default rule for cells of 10 km.
    static func presentExtremes(_ page: Page, _ moment: PublicMoment) -> SQL {
        let table = PublicSightingQueries.table
        let here = page.query.recordsHereOfTaxon(asOf: moment)
        let isIndexed: SQL = "s.accepted and not s.guarded and s.margin_row is not null"
        let outward: SQL = page.end == .north ? "desc" : "asc"
        return """
            with recursive \(fragment: RecordedTaxa.found(in: table, where: "s.accepted")),
            outermost as materialized (
                select t.taxon, x.edge, x.id
                  from found t
                 cross join lateral (
                    select s.margin_row from \(fragment: table)
                     where \(fragment: isIndexed) and s.taxon = t.taxon and \(fragment: here)
                     order by s.margin_row \(fragment: outward) limit 1) y
                 cross join lateral (
                    select \(page.sign) * s.latitude as edge, s.id from \(fragment: table)
                     where \(fragment: isIndexed) and s.taxon = t.taxon and s.margin_row = y.margin_row
                       and \(fragment: here)
                     order by edge, s.id limit 1) x
                 where t.taxon is not null
                union all
                select t.taxon, g.edge, g.id
                  from found t
                 cross join lateral (
                    select \(page.sign) * s.latitude as edge, s.id from \(fragment: table)
                     where s.accepted and s.guarded and s.taxon = t.taxon and \(fragment: here)
                     order by s.latitude \(fragment: outward), s.id limit 1) g
                 where t.taxon is not null),
            seen as (
                select distinct o.taxon from outermost o),
            \(fragment: TaxonLines.species(of: "seen", asOf: moment.known)),
            listed as (
                select distinct on (p.species) p.species, o.edge, o.id
                  from outermost o join species p on p.taxon = o.taxon
                 where \(fragment: page.query.isOfKind)
                 order by p.species, o.edge, o.id)
            select c.species, c.edge, c.id from listed c
             where \(fragment: page.isAfter)
             order by c.edge, c.species limit \(page.rows)
            """
    }

    /// Whether every record of the region that counted at a moment is still as it was.
    ///
    /// No position lies above the upper bounds. A range is taken for a small part of a table without statistics, so the
    /// indexes of positions are used then, too.
    func isPresent(_ query: RegionQuery, _ moment: PublicMoment) async throws(PostgresError) -> Bool {
        let records: SQL = "\(identifier: ReadModel.sightingsPublic.schema).records"
        let counted = query.statuses.map(\.rawValue)
        return try await database.query(
            """
            select not exists (
                       select from \(fragment: records) n
                        cross join lateral (
                           select s.id from \(fragment: records) s
                            where s.id = n.id and s.kind = 'record' and not s.guarded
                              and s.status = any(\(counted)) and s.region = \(query.region.text)
                              and s.valid @> \(moment.known)
                           offset 0) s
                        where lower(n.valid) > \(moment.known) and lower(n.valid) <= \(Int64.max))
                   and not exists (
                       select from \(fragment: records) s
                        where upper(s.shown) > \(moment.shown) and upper(s.shown) <= \(Int64.max)
                          and not upper_inf(s.shown) and s.kind <> 'gone'
                          and s.region = \(query.region.text)) as is_present
            """
        ).onlyRow().decode("is_present")
    }
}
