package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A species with the outermost of its records in a region.
package struct RegionExtreme: Hashable, Sendable {
    package let species: TaxonID
    package let extreme: ExtremeRecord
}

/// The margin cells of a species.
package struct RegionCells: Sendable {
    /// The records of the region that count.
    package fileprivate(set) var records = 0
    /// Their cells.
    package fileprivate(set) var cells: [MarginCell] = []
    /// The cells of the records outside the region that count.
    package fileprivate(set) var others: [MarginCell] = []

    package init() {}
}

/// Reads where the ranges of species end in a region, as of a moment.
package struct RegionRangeQueries: Sendable {
    package static let plan = ReadPlan(.sightingsPublic, .taxa)

    /// A page of the species of a region, those with the most extreme records first, then by id.
    package struct Page: SliceRequest, Hashable {
        /// The place of a species in the list.
        package struct Key: Hashable, Sendable {
            /// Degrees.
            package let latitude: Double
            package let species: TaxonID

            package init(_ latitude: Double, _ species: TaxonID) {
                (self.latitude, self.species) = (latitude, species)
            }
        }

        package var query: RegionQuery
        package var end: RangeEnd
        package var limit: Int
        /// nil for the first page.
        package var after: Key?

        package init(_ query: RegionQuery, _ end: RangeEnd, limit: Int, after: Key? = nil) {
            (self.query, self.end, self.limit, self.after) = (query, end, limit, after)
        }

        /// The factor of latitudes that makes the most extreme one the least.
        var sign: Double { end == .north ? -1 : 1 }

        /// The condition for a species `c` that comes after the key.
        var isAfter: SQL {
            after.map { "(c.edge, c.species) > (\($0.latitude * sign), \($0.species.uuid))" } ?? "true"
        }
    }

    let database: any PostgresQuerying

    /// Reads through a connection of its own: the records of a region make a long statement.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The species of a page. Records of a taxon below a species count for the species, those of one above it for none,
    /// in the taxonomy as of the moment.
    /// - Throws: `PostgresError`.
    package func extremes(
        _ page: Page, asOf moment: PublicMoment
    ) async throws(PostgresError) -> Slice<RegionExtreme, Page.Key> {
        // A record of another time has no place in the index of margins, and a period none in its order.
        if moment.day == nil, page.query.filter.from == nil, page.query.filter.to == nil {
            let found = try await database.query(Self.presentExtremes(page, moment))
            // Afterwards, so that it sees what the statement saw.
            if try await isPresent(page.query, moment) { return try Self.slice(found, page) }
        }
        return try Self.slice(try await database.query(Self.extremes(page, moment)), page)
    }

    /// The records of the region are read once, aggregated by taxon, and looked up in hash tables (`is true` keeps `in`
    /// from becoming a join): what is joined is small.
    private static func extremes(_ page: Page, _ moment: PublicMoment) -> SQL {
        """
        with recursive matched as materialized (
            select s.taxon, s.id, \(page.sign) * s.latitude as edge
              from \(fragment: PublicSightingQueries.table)
             where \(fragment: page.query.recordsHere(asOf: moment))),
        seen as (
            select m.taxon, min(m.edge) as edge from matched m group by m.taxon),
        \(fragment: TaxonLines.species(of: "seen", asOf: moment.known)),
        listed as (
            select p.species, min(n.edge) as edge
              from seen n join species p on p.taxon = n.taxon
             where \(fragment: page.query.isOfKind)
             group by p.species),
        page as materialized (
            select c.* from listed c where \(fragment: page.isAfter) order by c.edge, c.species limit \(page.rows)),
        ends as materialized (
            select p.taxon, c.species, c.edge from page c join species p on p.species = c.species)
        select e.species, e.edge, min(o.id::text collate "C")::uuid as id
          from (select m.* from matched m
                 where ((m.taxon, m.edge) in (select e.taxon, e.edge from ends e)) is true) o
          join ends e on e.taxon = o.taxon and e.edge = o.edge
         group by e.species, e.edge
         order by e.edge, e.species
        """
    }

    private static func slice(
        _ result: PostgresResult, _ page: Page
    ) throws(PostgresError) -> Slice<RegionExtreme, Page.Key> {
        var found: [RegionExtreme] = []
        found.reserveCapacity(result.count)
        for row in result.rows {
            let edge: Double = try row.decode("edge")
            found.append(
                RegionExtreme(
                    species: try row.id("species"),
                    extreme: ExtremeRecord(latitude: edge * page.sign, sighting: try row.id("id"))))
        }
        return page.slice(found) { Page.Key($0.extreme.latitude, $0.species) }
    }

    /// The margin cells of some species, in the region and outside it.
    /// - Throws: `PostgresError`.
    package func cells(
        of species: [TaxonID], _ query: RegionQuery, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [TaxonID: RegionCells] {
        let schema: SQL = "\(identifier: ReadModel.sightingsPublic.schema)"
        let result = try await database.query(
            """
            with recursive below (species, taxon) as (
                select q.id, q.id from unnest(\(species.map(\.uuid))) q (id)
                union
                select b.species, p.taxon
                  from below b
                  join \(fragment: schema).taxon_parents p on p.parent = b.taxon
                 where p.since = (select max(l.since) from \(fragment: schema).taxon_parents l
                                   where l.taxon = p.taxon and l.since <= \(moment.known))
                   and \(fragment: TaxonLines.isNoSpecies("p.taxon", asOf: moment.known))
            )
            select b.species, f.is_here, f.y, f.x, count(*) as records
              from below b
             cross join lateral (
                select coalesce(s.region = \(query.region.text), false) as is_here,
                       coalesce(s.margin_row, \(fragment: schema).margin_row(s.latitude)) as y,
                       coalesce(s.margin_column, \(fragment: schema).margin_column(s.latitude, s.longitude)) as x
                  from \(fragment: PublicSightingQueries.table)
                 where s.taxon = b.taxon and \(fragment: query.records(asOf: moment))
                offset 0) f
             group by b.species, f.is_here, f.y, f.x
            """)
        var found: [TaxonID: RegionCells] = [:]
        for row in result.rows {
            let (id, isHere): (TaxonID, Bool) = (try row.id("species"), try row.decode("is_here"))
            let cell = MarginCell(row: try row.decode("y"), column: try row.decode("x"), side: RegionQuery.side)
            if isHere {
                found[id, default: RegionCells()].records += try row.decode("records", as: Int.self)
                found[id, default: RegionCells()].cells.append(cell)
            } else {
                found[id, default: RegionCells()].others.append(cell)
            }
        }
        return found
    }
}
