package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A species of an observer's list.
package struct ListedSpecies: Hashable, Sendable {
    /// A finding of a species.
    package struct Finding: Hashable, Sendable {
        package let id: SightingID
        package let observed: ObservationTime
        package let status: SightingStatus
    }

    package let species: TaxonID
    /// How many findings count for it.
    package let findings: Int
    /// How many of them are approved.
    package let approved: Int
    /// The one whose observation ended first.
    package let first: Finding
    /// The one whose observation began last.
    package let last: Finding
    /// When the observation of the first one ended: by this the list is sorted.
    package let firstTo: Instant

    /// - Returns: nil where the row has no species.
    init?(optional row: PostgresRow) throws(PostgresError) {
        guard let species: TaxonID = try row.id(optional: "species") else { return nil }
        self.species = species
        findings = try row.decode("findings")
        approved = try row.decode("approved")
        first = Finding(
            id: try row.id("first_id"),
            observed: try row.required(row.observationTime("first_observed"), "first_observed"),
            status: try row.required(row.word("first_status"), "first_status"))
        last = Finding(
            id: try row.id("last_id"),
            observed: try row.required(row.observationTime("last_observed"), "last_observed"),
            status: try row.required(row.word("last_status"), "last_status"))
        firstTo = try row.required(row.instant("first_to"), "first_to")
    }
}

/// Reads the species that a birder has found.
package struct SpeciesQueries: Sendable {
    package static let plan = ReadPlan(.sightingsExact, .taxa)

    /// The filters and the size of a page of species.
    package struct Page: SliceRequest, Hashable {
        /// The filter of the findings; its kind is compared with that of the species.
        package var filter: RecordFilter
        /// Only findings whose whole interval lies in this year, by local dates.
        package var year: Int?
        /// The most species to return.
        package var limit: Int
        package var after: MomentKey?

        package init(
            _ filter: RecordFilter = RecordFilter(), year: Int? = nil, limit: Int, after: MomentKey? = nil
        ) {
            (self.filter, self.year) = (filter, year)
            (self.limit, self.after) = (limit, after)
        }
    }

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The condition that a finding `s` counts for the species of its taxon.
    static let counts: SQL = "(s.status in ('pending', 'approved') and \(fragment: WildSightings.condition))"

    /// The species of an observer's findings as they are now: the latest addition (the latest first finding) first,
    /// then by id.
    ///
    /// A finding counts for the species that its taxon is, or is below, while it waits for a decision or is approved.
    /// It does not count if it is of a captive organism or uncertain (`cf`, `aff`).
    ///
    /// An observer may have a hundred thousand findings, which the planner cannot know. They are read once, aggregated
    /// by taxon, and looked up in hash tables (`is true` keeps `in` from becoming a join): what is joined is small.
    /// - Returns: also the number of species on all pages.
    /// - Throws: `PostgresError`.
    package func species(
        of observer: AccountID, _ page: Page
    ) async throws(PostgresError) -> (slice: Slice<ListedSpecies, MomentKey>, total: Int) {
        let result = try await database.query(
            """
            with recursive own as materialized (
                select s.id, s.taxon, s.status, s.observed, s.observed_from, s.observed_to
                  from \(identifier: ReadModel.sightingsExact.schema).sightings s
                 where \(fragment: OwnFindings.condition(observer)) \(fragment: Self.filter(page))
                   and \(fragment: Self.counts) and s.taxon is not null and s.observed is not null),
            seen as (
                select o.taxon, count(*) as findings, count(*) filter (where o.status = 'approved') as approved,
                       min(o.observed_to) as first_to, max(o.observed_from) as last_from
                  from own o group by o.taxon),
            \(fragment: TaxonLines.species(of: "seen")),
            listed as (
                select p.species, sum(n.findings)::bigint as findings, sum(n.approved)::bigint as approved,
                       min(n.first_to) as first_to, max(n.last_from) as last_from
                  from seen n join species p on p.taxon = n.taxon
                 where \(fragment: Self.kind(page))
                 group by p.species),
            page as (
                select c.* from listed c where \(fragment: page.after?.precedes("c.first_to", "c.species") ?? "true")
                 order by c.first_to desc, c.species limit \(page.rows)),
            ends as (
                select p.taxon, c.species, c.first_to, c.last_from
                  from page c join species p on p.species = c.species),
            firsts as (
                select distinct on (e.species) e.species, o.id, o.observed, o.status
                  from (select o.* from own o
                         where ((o.taxon, o.observed_to) in (select e.taxon, e.first_to from ends e)) is true) o
                  join ends e on e.taxon = o.taxon
                 order by e.species, o.observed_from desc, o.id),
            lasts as (
                select distinct on (e.species) e.species, o.id, o.observed, o.status
                  from (select o.* from own o
                         where ((o.taxon, o.observed_from) in (select e.taxon, e.last_from from ends e)) is true) o
                  join ends e on e.taxon = o.taxon
                 order by e.species, o.observed_to, o.id desc)
            select t.total, c.*
              from (select count(*) as total from listed) t
              left join (
                select c.species, c.findings, c.approved, c.first_to, f.id as first_id, f.observed as first_observed,
                       f.status as first_status, l.id as last_id, l.observed as last_observed, l.status as last_status
                  from page c join firsts f on f.species = c.species join lasts l on l.species = c.species) c on true
             order by c.first_to desc, c.species
            """)
        var species: [ListedSpecies] = []
        for row in result.rows {
            if let listed = try ListedSpecies(optional: row) { species.append(listed) }
        }
        return (
            page.slice(species) { MomentKey($0.firstTo, $0.species.uuid) }, try result.first?.decode("total") ?? 0
        )
    }

    private static func filter(_ page: Page) -> SQL {
        var filter: SQL = "and \(fragment: page.filter.condition(RecordFilter.Member.all.subtracting([.kind])))"
        if let year = page.year.map(Int32.init) {
            // The index of an observer's findings is by the end of the observation, in UTC.
            filter = """
                \(fragment: filter)
                and s.observed_to >= make_date(\(year), 1, 1) - 1 and s.observed_to < make_date(\(year), 12, 31) + 3
                and s.local_from >= make_date(\(year), 1, 1) and s.local_to <= make_date(\(year), 12, 31)
                """
        }
        return filter
    }

    private static func kind(_ page: Page) -> SQL {
        page.filter.kind.map { "p.kind = \($0.rawValue)" } ?? "true"
    }
}
