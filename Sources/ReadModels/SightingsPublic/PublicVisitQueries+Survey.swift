package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Visits with all their records that are passed on, in the order of their ids. At a fixed moment they do not change,
/// so they may be read in many statements, without a snapshot.
extension PublicVisitQueries {
    /// The visits after an id, up to another one.
    package struct Window: Hashable, Sendable {
        package let after: PublicVisitID?
        package let end: PublicVisitID

        var condition: SQL {
            let start: SQL = after.map { "s.visit > \($0.uuid) and" } ?? ""
            return "\(fragment: start) s.visit <= \(end.uuid)"
        }
    }

    /// The next window: the visits of so many rows, whether they are passed on or not; nil where there are none.
    /// - Throws: `PostgresError`.
    package func window(after visit: PublicVisitID?, rows: Int) async throws(PostgresError) -> Window? {
        let start: SQL = visit.map { "and s.visit > \($0.uuid)" } ?? ""
        let result = try await database.query(
            """
            select w.visit
              from (select s.visit from \(fragment: PublicSightingQueries.table)
                     where s.visit is not null \(fragment: start) order by s.visit limit \(rows)) w
             order by w.visit desc limit 1
            """)
        return try result.first.map { row throws(PostgresError) in Window(after: visit, end: try row.id("visit")) }
    }

    /// The visits of a window to which more than half of the records that the filter finds belong.
    ///
    /// Everything but completeness follows from the records that are passed on. A visit with another one is not
    /// complete.
    /// - Throws: `PostgresError`.
    package func visits(
        of query: BulkQuery, in window: Window, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [PublicVisit] {
        let result = try await database.query(Self.statement(query, window, moment))
        var visits: [PublicVisit] = []
        visits.reserveCapacity(result.count)
        for row in result.rows { visits.append(try PublicVisit(row)) }
        return visits
    }

    /// The records of some visits of a window, sorted by visit and public id.
    /// - Throws: `PostgresError`.
    package func records(
        of visits: [PublicVisit], _ query: BulkQuery, in window: Window, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [(id: SightingID, visit: PublicVisitID)] {
        let result = try await database.query(
            """
            select s.id, s.visit
              from \(fragment: PublicSightingQueries.table)
             where \(fragment: window.condition) and \(fragment: Self.isOfVisit(asOf: moment))
               and \(fragment: Self.isIn(query))
               and s.visit in (select c.id from unnest(\(visits.map(\.id.uuid))) c (id))
             order by s.visit, s.id
            """)
        var records: [(id: SightingID, visit: PublicVisitID)] = []
        records.reserveCapacity(result.count)
        for row in result.rows { records.append((try row.id("id"), try row.id("visit"))) }
        return records
    }

    /// The taxa whose absence must not be derived, sorted by id.
    /// - Throws: `PostgresError`.
    package func guardedTaxa(asOf moment: PublicMoment) async throws(PostgresError) -> [GuardedTaxon] {
        let result = try await database.query(
            """
            select r.taxon, t.scientific_name, min(r.category) as category
              from \(identifier: ReadModel.sightingsPublic.schema).taxon_restrictions r
              join \(identifier: ReadModel.taxa.schema).taxon_states t
                on t.taxon = r.taxon and t.valid @> \(moment.known)
             where r.position <= \(moment.shown)
             group by r.taxon, t.scientific_name
             order by r.taxon
            """)
        var taxa: [GuardedTaxon] = []
        for row in result.rows {
            taxa.append(
                GuardedTaxon(
                    id: try row.id("taxon"), scientificName: try row.decode("scientific_name"),
                    category: try row.required(row.category("category"), "category")))
        }
        return taxa
    }
}

extension PublicVisitQueries {
    private static func statement(_ query: BulkQuery, _ window: Window, _ moment: PublicMoment) -> SQL {
        let (filter, schema) = (query.effectiveFilter, ReadModel.sightingsPublic.schema)
        let matched = filter.condition(RecordFilter.conditionsOfVisits, asOf: moment)
        return """
            with visited as materialized (
                select s.visit, s.id, s.dataset, s.local_from, s.local_to, s.latitude, s.longitude, s.protocol,
                       s.visit_minutes, s.visit_distance, s.visit_observers, lower(s.valid) as since,
                       case when \(fragment: isListed(asOf: moment)) then s.taxon end as listed,
                       s.visit_complete is true as complete,
                       coalesce((\(fragment: isIn(query))), false) as included,
                       coalesce((\(fragment: matched)), false) as matched
                  from \(fragment: PublicSightingQueries.table)
                 where \(fragment: window.condition) and \(fragment: isOfVisit(asOf: moment))
            ), chosen as (
                select v.visit, bool_and(v.complete and v.included) as complete
                  from visited v
                 group by v.visit
                having 2 * count(*) filter (where v.matched) > count(*)
            ), whole as (
                select v.visit, min(v.dataset::text)::uuid as dataset, min(v.local_from) as first,
                       max(v.local_to) as last, count(distinct v.listed) as list_length
                  from visited v where v.included
                 group by v.visit
            ), newest as (
                select distinct on (v.visit) v.visit, v.protocol, v.visit_minutes, v.visit_distance, v.visit_observers
                  from visited v where v.included
                 order by v.visit, v.since desc, v.id
            ), cells as (
                select distinct on (c.visit) c.visit, c.margin_row, c.margin_column
                  from (select v.visit, \(identifier: schema).margin_row(v.latitude) as margin_row,
                               \(identifier: schema).margin_column(v.latitude, v.longitude) as margin_column,
                               count(*) as records
                          from visited v where v.included and v.latitude is not null
                         group by 1, 2, 3) c
                 order by c.visit, c.records desc, c.margin_row, c.margin_column
            )
            select w.visit, w.dataset, w.first::text as first, w.last::text as last, c.margin_row, c.margin_column,
                   n.protocol, n.visit_minutes as minutes, n.visit_distance as distance,
                   n.visit_observers as observers, x.complete, w.list_length
              from whole w
              join chosen x on x.visit = w.visit
              join newest n on n.visit = w.visit
              left join cells c on c.visit = w.visit
             order by w.visit
            """
    }

    /// The condition for records `s` of visits that are in the answer.
    private static func isIn(_ query: BulkQuery) -> SQL {
        """
        s.status = any(\(query.effectiveFilter.statuses.map(\.rawValue).sorted()))
        and \(fragment: PublicSightingQueries.isPassedOn(query))
        """
    }
}
